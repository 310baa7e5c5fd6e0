public import Foundation
import Shared

/// A value that the store signed, and whether its signature was good on this device.
///
/// Apple: https://developer.apple.com/documentation/storekit/verificationresult
@frozen public enum VerificationResult<SignedType> {
  case unverified(SignedType, VerificationError)
  case verified(SignedType)

  @nonexhaustive public enum VerificationError: Error, Hashable {
    case revokedCertificate
    case invalidCertificateChain
    case invalidDeviceVerification
    case invalidEncoding
    case invalidSignature
    case missingRequiredProperties
  }

  /// The value when it is verified.
  /// - Throws: the `VerificationError` otherwise.
  public var payloadValue: SignedType {
    get throws {
      switch self {
      case .unverified(_, let error): throw error
      case .verified(let value): return value
      }
    }
  }

  /// The value, verified or not.
  public var unsafePayloadValue: SignedType {
    switch self {
    case .unverified(let value, _), .verified(let value): value
    }
  }

  init(_ value: SignedType, failure: VerificationFailure?) {
    if let failure {
      self = .unverified(value, VerificationError(failure))
    } else {
      self = .verified(value)
    }
  }
}

extension VerificationResult: Sendable where SignedType: Sendable {}
extension VerificationResult: Equatable where SignedType: Equatable {}
extension VerificationResult: Hashable where SignedType: Hashable {}

extension VerificationResult: CustomDebugStringConvertible where SignedType: CustomDebugStringConvertible {
  public var debugDescription: String {
    switch self {
    case .unverified(let value, let error): "unverified (\(error)): \(value.debugDescription)"
    case .verified(let value): "verified: \(value.debugDescription)"
    }
  }
}

extension VerificationResult.VerificationError {
  init(_ failure: VerificationFailure) {
    self =
      switch failure {
      case .revokedCertificate: .revokedCertificate
      case .invalidCertificateChain: .invalidCertificateChain
      case .invalidDeviceVerification: .invalidDeviceVerification
      case .invalidEncoding: .invalidEncoding
      case .invalidSignature: .invalidSignature
      case .missingRequiredProperties: .missingRequiredProperties
      }
  }
}

extension VerificationResult.VerificationError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .revokedCertificate: "A certificate that signed this data has been revoked."
    case .invalidCertificateChain: "The certificates that signed this data do not lead to the App Store's root."
    case .invalidDeviceVerification: "This data was signed for another device."
    case .invalidEncoding: "This data is not a JSON Web Signature."
    case .invalidSignature: "The signature does not belong to this data."
    case .missingRequiredProperties: "This data lacks properties that its verification needs."
    }
  }

  public var failureReason: String? {
    switch self {
    case .revokedCertificate: "One of the certificates is no longer valid."
    case .invalidCertificateChain: "The chain is broken, expired or of another root."
    case .invalidDeviceVerification: "The device, app or environment in the data is another one."
    case .invalidEncoding: "Its parts cannot be decoded."
    case .invalidSignature: "The data was changed after it was signed."
    case .missingRequiredProperties: "The store left something out."
    }
  }

  public var recoverySuggestion: String? { "Ask the store for the data again." }
}
