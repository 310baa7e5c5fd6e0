package import Foundation

/// A well-formed compact JWS (RFC 7515 §7.1): three base64url parts, not yet believed.
///
/// The parts are what StoreKit's `VerificationResult` shows as `headerData`, `payloadData`, `signatureData` and
/// `signedData`.
package struct CompactJWS: Equatable, Sendable {
  /// The ASCII text `header.payload.signature`.
  package let bytes: Data
  /// Offset of the first dot from the start of `bytes`.
  let headerEnd: Int
  /// Offset of the second dot from the start of `bytes`.
  let payloadEnd: Int

  /// Splits the text and checks its encoding.
  ///
  /// - Throws: `invalidEncoding` unless it has three non-empty parts in unpadded base64url.
  package init(_ bytes: Data) throws(VerificationFailure) {
    let dots = bytes.withUnsafeBytes { text -> (Int, Int)? in
      let dot = UInt8(ascii: ".")
      guard let first = text.firstIndex(of: dot) else { return nil }
      guard let second = text[(first + 1)...].firstIndex(of: dot) else { return nil }
      // A third dot is no base64url character, so the check of the last part finds it.
      let parts = [text[..<first], text[(first + 1)..<second], text[(second + 1)...]]
      guard parts.allSatisfy({ !$0.isEmpty && Base64URL.isValid(UnsafeRawBufferPointer(rebasing: $0)) }) else {
        return nil
      }
      return (first, second)
    }
    guard let dots else { throw .invalidEncoding }
    self.init(bytes: bytes, headerEnd: dots.0, payloadEnd: dots.1)
  }

  /// Splits the text and checks its encoding.
  ///
  /// - Throws: `invalidEncoding` unless it has three non-empty parts in unpadded base64url.
  package init(_ string: String) throws(VerificationFailure) { try self.init(Data(string.utf8)) }

  /// For the signer, which has just written the text.
  init(bytes: Data, headerEnd: Int, payloadEnd: Int) {
    self.bytes = bytes
    self.headerEnd = headerEnd
    self.payloadEnd = payloadEnd
  }

  /// The text as StoreKit's `jwsRepresentation` shows it.
  package var string: String { String(decoding: bytes, as: UTF8.self) }

  /// The JSON of the header.
  package var headerData: Data { decoded(0..<headerEnd) }

  /// The payload: for all that the store signs, JSON.
  package var payloadData: Data { decoded(headerEnd + 1..<payloadEnd) }

  /// The signature: for ES256, r and s with 32 bytes each.
  package var signatureData: Data { decoded(payloadEnd + 1..<bytes.count) }

  /// The bytes that the signature signs: the text up to the second dot.
  package var signedData: Data { bytes.prefix(payloadEnd) }

  private func decoded(_ offsets: Range<Int>) -> Data {
    // Both initialisers vouch for the encoding, so nothing is ever replaced by empty data here.
    bytes.withUnsafeBytes { Base64URL.decode(UnsafeRawBufferPointer(rebasing: $0[offsets])) } ?? Data()
  }
}

extension CompactJWS: CustomStringConvertible {
  package var description: String { string }
}
