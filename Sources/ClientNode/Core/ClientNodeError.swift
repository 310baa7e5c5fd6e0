/// Why a client node cannot start or go on: one sentence for a person.
package struct ClientNodeError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Hashable, Sendable {
    /// The configuration contradicts itself.
    case configuration
    /// The server does not let this node in.
    case unauthorized
    /// The folder or file of the local store cannot be used.
    case store
    /// A socket cannot be made or connected.
    case connection
  }

  package var code: Code
  /// What, where, what was expected, what to do.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
