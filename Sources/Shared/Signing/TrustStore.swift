package import Foundation

/// What a verifier believes: the roots it trusts and the certificates it knows to be revoked.
package struct TrustStore: Hashable, Codable, Sendable {
  /// Trusted roots in DER.
  package var roots: [Data]
  /// Trusted certificates, in DER, that sign data themselves, as that of StoreKit Testing in Xcode does. They vouch for
  /// no other certificate.
  package var selfSigned: [Data]
  package var revokedSerials: Set<CertificateSerial>

  package init(roots: [Data], selfSigned: [Data] = [], revokedSerials: Set<CertificateSerial> = []) {
    self.roots = roots
    self.selfSigned = selfSigned
    self.revokedSerials = revokedSerials
  }

  /// What the certificate that a world gives out is good for, in DER.
  package init(anchor: Data, environment: String) {
    let isXcode = environment == StoreIdentity.xcode
    self.init(roots: isXcode ? [] : [anchor], selfSigned: isXcode ? [anchor] : [])
  }
}
