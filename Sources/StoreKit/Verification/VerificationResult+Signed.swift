public import Foundation

extension VerificationResult where SignedType == Transaction {
  /// The compact JWS.
  public var jwsRepresentation: String { signed.text }
  /// The decoded header.
  public var headerData: Data { signed.headerData }
  /// The decoded payload.
  public var payloadData: Data { signed.payloadData }
  /// The decoded signature.
  public var signatureData: Data { signed.signatureData }
  public var signature: P256.Signing.ECDSASignature { signed.signature }
  /// What the signature covers: the encoded header, a dot, the encoded payload.
  public var signedData: Data { signed.signedData }
  public var signedDate: Date { unsafePayloadValue.signedDate }
  public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
  public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }

  private var signed: SignedData { unsafePayloadValue.content.signed }
}

extension VerificationResult where SignedType == Product.SubscriptionInfo.RenewalInfo {
  /// The compact JWS.
  public var jwsRepresentation: String { signed.text }
  /// The decoded header.
  public var headerData: Data { signed.headerData }
  /// The decoded payload.
  public var payloadData: Data { signed.payloadData }
  /// The decoded signature.
  public var signatureData: Data { signed.signatureData }
  public var signature: P256.Signing.ECDSASignature { signed.signature }
  /// What the signature covers: the encoded header, a dot, the encoded payload.
  public var signedData: Data { signed.signedData }
  public var signedDate: Date { unsafePayloadValue.signedDate }
  public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
  public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }

  private var signed: SignedData { unsafePayloadValue.content.signed }
}

extension VerificationResult where SignedType == AppTransaction {
  /// The compact JWS.
  public var jwsRepresentation: String { signed.text }
  /// The decoded header.
  public var headerData: Data { signed.headerData }
  /// The decoded payload.
  public var payloadData: Data { signed.payloadData }
  /// The decoded signature.
  public var signatureData: Data { signed.signatureData }
  public var signature: P256.Signing.ECDSASignature { signed.signature }
  /// What the signature covers: the encoded header, a dot, the encoded payload.
  public var signedData: Data { signed.signedData }
  public var signedDate: Date { unsafePayloadValue.signedDate }
  public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
  public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }

  private var signed: SignedData { unsafePayloadValue.content.signed }
}
