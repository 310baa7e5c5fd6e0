package import Foundation

/// The `appAccountToken` that a person's word stands for.
package enum UserToken {
  /// A UUID as it is; for any other name the token that scenarios give it.
  package static func of(_ word: String) -> UUID { UUID(uuidString: word) ?? ScenarioUser(name: word).token }
}
