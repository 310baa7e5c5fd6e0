/// How a leaf is made. All but ``standard`` are faults: every verifier must refuse them.
package struct LeafProfile: Hashable, Sendable {
  /// Start and end of validity in milliseconds since 1970; certificates keep whole seconds.
  package var notBefore: Int64
  package var notAfter: Int64
  /// Whether the leaf has Apple's marker for receipt signing.
  package var isMarked: Bool

  package init(notBefore: Int64, notAfter: Int64, isMarked: Bool) {
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.isMarked = isMarked
  }

  /// Valid at every time that a world's clock can show: from 1970 to the end of the year 9999, where X.509 ends too.
  package static let standard = LeafProfile(
    notBefore: CertificateAuthority.notBefore, notAfter: CertificateAuthority.notAfter, isMarked: true)
  /// Ended before 1970, so before whatever a world's clock shows.
  package static let expired = LeafProfile(notBefore: -631_152_000_000, notAfter: -1000, isMarked: true)
  /// Begins with the last second of the year 9999.
  package static let notYetValid = LeafProfile(
    notBefore: CertificateAuthority.notAfter, notAfter: CertificateAuthority.notAfter, isMarked: true)
  /// A leaf for some other use, under the right root.
  package static let unmarked = LeafProfile(
    notBefore: CertificateAuthority.notBefore, notAfter: CertificateAuthority.notAfter, isMarked: false)
}
