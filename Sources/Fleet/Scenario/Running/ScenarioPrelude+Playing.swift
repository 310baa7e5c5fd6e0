import Shared
package import Wire

extension ScenarioPrelude {
  /// Does to the account what the state needs, at the time where the clock stands.
  package func play(on account: ActorAddress, asking fleet: some ActorAsker) async throws {
    switch command {
    case .buy:
      let reply = try await fleet.ask(Purchase(productId: productId), of: account)
      if case .pending(let request) = reply.outcome {
        _ = try await fleet.ask(AnswerAskToBuy(approve: true, askToBuy: request), of: account)
      }
    case .cancel: _ = try await fleet.ask(SetAutoRenew(productId: productId, on: false), of: account)
    case .failBilling: _ = try await fleet.ask(SetBilling(productId: productId, fails: true), of: account)
    case .refund: _ = try await fleet.ask(Refund(productId: productId), of: account)
    }
  }
}
