import Wire

/// A word that should name something and cannot: the command line or a test is wrong, not the fleet.
package struct NameError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence.
  package let message: String

  package init(_ message: String) { self.message = message }

  package var description: String { message }

  /// What names consist of, everywhere in a fleet: they go into topics and paths.
  package static let rule = "expected 1 to 128 of A-Z a-z 0-9 . _ - + @"

  /// - Parameter what: With its article, for example `an account`.
  package static func check(_ name: String, _ what: String) throws(NameError) {
    guard ActorAddress.isName(name) else { throw NameError("'\(name.prefix(200))' cannot name \(what): \(rule)") }
  }
}

extension ActorAddress.Kind {
  /// With its article, for sentences.
  var noun: String {
    switch self {
    case .account: "an account"
    default: "a \(rawValue)"
    }
  }
}
