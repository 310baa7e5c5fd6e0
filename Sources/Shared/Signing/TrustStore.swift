package import Foundation

/// What a verifier believes: the roots it trusts and the certificates it knows to be revoked.
package struct TrustStore: Hashable, Codable, Sendable {
  /// Trusted roots in DER.
  package var roots: [Data]
  package var revokedSerials: Set<CertificateSerial>

  package init(roots: [Data], revokedSerials: Set<CertificateSerial> = []) {
    self.roots = roots
    self.revokedSerials = revokedSerials
  }
}
