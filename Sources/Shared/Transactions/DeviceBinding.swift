/// What binds a payload to one device; only the copies that devices get have it.
package struct DeviceBinding: Hashable, Sendable, Codable {
  /// SHA-384, base64 (Apple: deviceVerification).
  package var verification: String
  /// A lower-case UUID (Apple: deviceVerificationNonce).
  package var nonce: String

  package init(verification: String, nonce: String) {
    self.verification = verification
    self.nonce = nonce
  }
}
