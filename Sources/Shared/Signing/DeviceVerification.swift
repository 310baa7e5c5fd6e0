package import Foundation

/// Binds signed data to one device (Apple: `AppStore.deviceVerificationID`, `Transaction.deviceVerification`).
package struct DeviceVerification: Hashable, Sendable {
  /// Fresh for each signing, so that the same transaction delivered twice differs in its bytes.
  package let nonce: UUID
  /// SHA-384, 48 bytes. JSON carries it in base64.
  package let digest: Data

  /// Makes what the payload for the device `deviceID` carries.
  package init(nonce: UUID, deviceID: UUID) throws(SigningError) {
    self.nonce = nonce
    digest = try Self.digest(nonce: nonce, deviceID: deviceID)
  }

  /// SHA-384 over the UTF-8 of the lower-case nonce followed directly by the lower-case device id.
  package static func digest(nonce: UUID, deviceID: UUID) throws(SigningError) -> Data {
    let text = nonce.uuidString.lowercased() + deviceID.uuidString.lowercased()
    return try OpenSSLDigest.sha384(Data(text.utf8))
  }

  /// Checks the two values of a payload against the device that reads it.
  ///
  /// - Parameters:
  ///   - deviceVerification: The payload's `deviceVerification`, base64.
  ///   - nonce: The payload's `deviceVerificationNonce`, a UUID in any case.
  /// - Throws: `missingRequiredProperties` if one of them is absent, `invalidDeviceVerification` if they are not this
  ///   device's.
  package static func check(
    deviceVerification: String?, nonce: String?, deviceID: UUID
  ) throws(VerificationFailure) {
    guard let deviceVerification, let nonce else { throw .missingRequiredProperties }
    guard
      let nonce = UUID(uuidString: nonce), let stated = Data(base64Encoded: deviceVerification),
      let expected = try? digest(nonce: nonce, deviceID: deviceID), stated == expected
    else { throw .invalidDeviceVerification }
  }
}
