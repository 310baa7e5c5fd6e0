package enum VerificationFailure: String, Error, Hashable, Sendable, Codable {
  case revokedCertificate, invalidCertificateChain, invalidDeviceVerification, invalidEncoding, invalidSignature
  case missingRequiredProperties
}
