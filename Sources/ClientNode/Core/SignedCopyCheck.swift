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

  package init(
    jws: String, subject: WantedCopy.Subject?, deviceVerificationId: UUID, bundleId: String, environment: String,
    rootCertificate: Data
  ) {
    self.jws = jws
    self.subject = subject
    self.deviceVerificationId = deviceVerificationId
    self.bundleId = bundleId
    self.environment = environment
    self.rootCertificate = rootCertificate
  }
}
