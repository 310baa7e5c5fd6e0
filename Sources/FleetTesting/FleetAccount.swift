import Shared
package import Wire

/// An Apple Account of a fleet: what happens to it in the App Store, outside of any app.
public struct FleetAccount: FleetActor {
  let fleet: Fleet
  public let name: String

  package var address: ActorAddress { fleet.address(.account, name) }

  /// Buys in the App Store itself.
  ///
  /// - Returns: the transaction's id; nil when the purchase waits for approval.
  @discardableResult
  public func buy(_ productID: String) async throws -> UInt64? {
    switch try await tell(Purchase(productId: productID)).outcome {
    case .purchased(let id), .existing(let id): id.rawValue
    case .pending: nil
    }
  }

  /// Gives the money back for the newest transaction of a product.
  public func refund(_ productID: String) async throws { _ = try await tell(Refund(productId: productID)) }

  /// Answers a purchase that waits for approval; the only one when no product is said.
  public func approve(_ productID: String? = nil) async throws {
    _ = try await tell(AnswerAskToBuy(approve: true, productId: productID))
  }
  public func decline(_ productID: String? = nil) async throws {
    _ = try await tell(AnswerAskToBuy(approve: false, productId: productID))
  }

  public func setAutoRenew(_ productID: String, on: Bool) async throws {
    _ = try await tell(SetAutoRenew(productId: productID, on: on))
  }

  /// From now on the account cannot be charged for renewals, or can again.
  public func failBilling() async throws { _ = try await tell(SetBilling(fails: true)) }
  public func recoverBilling() async throws { _ = try await tell(SetBilling(fails: false)) }

  /// What happened to the account, a line an event, oldest first.
  public func timeline() async throws -> String { try await fleet.timeline(of: name) }

  private func tell<Message: Request>(_ message: Message) async throws -> Message.Reply {
    try await fleet.tell(message, address)
  }
}
