package import Shared

/// A command that is played before the story begins, so that an account is in the state that the scenario says.
package struct ScenarioPrelude: Sendable, Hashable {
  package enum Command: Sendable, Hashable {
    case buy, cancel, failBilling, refund
  }

  package var at: StoreTime
  package var account: String
  package var productId: String
  package var command: Command
}
