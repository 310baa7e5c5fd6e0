/// Why signed data is not to be believed, in the words of StoreKit's `VerificationResult.VerificationError`.
package enum VerificationFailure: String, Error, Hashable, Codable, Sendable, CaseIterable {
  /// A certificate of the chain is on the list of revoked ones.
  case revokedCertificate
  /// The chain does not lead from a marked leaf over a marked intermediate to a trusted root at the time of signing.
  case invalidCertificateChain
  /// The data was made for another device.
  case invalidDeviceVerification
  /// The data is not a compact JWS in ES256.
  case invalidEncoding
  /// The signature is not the leaf's signature of these bytes.
  case invalidSignature
  /// The payload lacks what the check needs.
  case missingRequiredProperties
}
