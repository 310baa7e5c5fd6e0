/// The signing layer could not do its work: OpenSSL refused, or a stored authority cannot be used.
///
/// Data from others that fails to verify is never this error but a ``VerificationFailure``.
package struct SigningError: Error, Hashable, Sendable {
  /// What was being done, to be read after "could not".
  package let operation: String
  /// The cause and, where there is one, the remedy.
  package let reason: String

  package init(operation: String, reason: String) {
    self.operation = operation
    self.reason = reason
  }
}

extension SigningError: CustomStringConvertible {
  package var description: String { "Could not \(operation): \(reason)" }
}
