/// A server cannot start.
package struct HTTPServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was being done, to be read after "could not".
  package let operation: String
  /// The cause and the remedy.
  package let reason: String

  package var description: String { "Could not \(operation): \(reason)" }
}
