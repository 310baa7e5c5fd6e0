package import Foundation
import Shared
package import Wire

/// All that checking one signed copy takes.
package struct SignedCopyCheck: Sendable {
  package var jws: String
  /// Nil for the app transaction.
  package var subject: WantedCopy.Subject?
  package var deviceVerificationId: UUID
  package var bundleId: String
  package var environment: String
  /// DER.
  package var rootCertificate: Data
  /// Whether it must be bound to the device; a copy that need not be may be bound to no other all the same.
  package var isDeviceBound: Bool

  package init(
    jws: String, subject: WantedCopy.Subject?, deviceVerificationId: UUID, bundleId: String, environment: String,
    rootCertificate: Data, isDeviceBound: Bool = true
  ) {
    self.jws = jws
    self.subject = subject
    self.deviceVerificationId = deviceVerificationId
    self.bundleId = bundleId
    self.environment = environment
    self.rootCertificate = rootCertificate
    self.isDeviceBound = isDeviceBound
  }
}
