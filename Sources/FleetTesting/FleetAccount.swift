import Foundation
import Fleet
import Shared
package import Wire

/// An Apple Account of a fleet: what happens to it in the App Store, outside of any app.
///
/// Every call returns when it has happened in the store; devices hear of it as phones do, so `expect` waits for them.
public struct FleetAccount: FleetActor {
  let fleet: Fleet
  public let name: String

  package var address: ActorAddress { fleet.address(.account, name) }

  // MARK: Purchases

  /// Buys in the App Store itself.
  ///
  /// - Returns: the transaction's id; nil when the purchase waits, for approval or for an issue.
  @discardableResult
  public func buy(_ productID: String, quantity: Int = 1) async throws -> UInt64? {
    id(of: try await tell(Purchase(productId: productID, quantity: quantity)))
  }

  /// Redeems an offer code in the App Store itself.
  ///
  /// - Parameter offer: the offer's reference name, or its id, which stands for all of its codes.
  /// - Returns: the transaction's id; nil when the purchase waits.
  /// - Throws: when the account may not redeem it.
  @discardableResult
  public func redeem(_ productID: String, _ offer: OfferCode) async throws -> UInt64? {
    let request =
      switch offer {
      case .named(let name): RedeemCode(productId: productID, referenceName: name)
      case .code(let code): RedeemCode(productId: productID, code: code)
      }
    return id(of: try await tell(request))
  }

  /// Which offer code.
  public enum OfferCode: Hashable, Sendable {
    /// Any code of the offer with this reference name.
    case named(String)
    /// The offer's id, which stands for all of its codes.
    case code(String)
  }

  private func id(of reply: Purchase.Reply) -> UInt64? {
    switch reply.outcome {
    case .purchased(let id), .existing(let id): id.rawValue
    case .pending: nil
    }
  }

  /// A purchase that waits for somebody.
  public struct PendingPurchase: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable {
      /// For the family organiser's answer.
      case askToBuy
      /// For the customer, who has something to resolve first.
      case issue
    }
    public let id: String
    public let productID: String
    public let quantity: Int
    public let reason: Reason
  }

  /// The purchases that wait, the oldest first.
  public func pendingPurchases() async throws -> [PendingPurchase] {
    try await tell(ListPendingPurchases()).purchases.map {
      PendingPurchase(
        id: $0.id, productID: $0.productId, quantity: $0.quantity, reason: $0.reason == .issue ? .issue : .askToBuy)
    }
  }

  /// Answers a purchase that waits for approval; the only one when no product is said.
  public func approve(_ productID: String? = nil) async throws {
    _ = try await tell(AnswerAskToBuy(approve: true, productId: productID))
  }
  public func decline(_ productID: String? = nil) async throws {
    _ = try await tell(AnswerAskToBuy(approve: false, productId: productID))
  }

  /// Whether purchases of the account are pending until `resolve`: it has new terms to agree to, say.
  public func interruptPurchases(_ interrupts: Bool) async throws {
    _ = try await tell(SetInterruptedPurchases(on: interrupts))
  }

  /// Does what an interrupted purchase waits for, and it goes through; the only one when no product is said.
  public func resolve(_ productID: String? = nil) async throws {
    _ = try await tell(ResolveIssue(productId: productID))
  }

  // MARK: The account itself

  /// Opens the account, for one that the fleet did not begin with. It has no device.
  ///
  /// - Parameters:
  ///   - asksToBuy: whether its purchases wait for the family's organiser.
  ///   - country: its storefront, ISO 3166-1 alpha-3; nil for the world's.
  public func open(asksToBuy: Bool = false, in country: String? = nil) async throws {
    let request = OpenAccount(account: name, asksToBuy: asksToBuy, storefront: country)
    _ = try await fleet.tell(request, fleet.world)
  }

  /// Moves to another country's storefront, ISO 3166-1 alpha-3: `DEU`. What it has bought stays.
  public func setStorefront(_ country: String) async throws { _ = try await tell(SetStorefront(storefront: country)) }

  /// The developer's server says that the newest purchase of a product belongs to a user (Apple: Set App Account Token).
  public func setUser(_ user: FleetUser, of productID: String) async throws {
    let bought = try await transactions().last { $0.productID == productID && !$0.isFamilyShared }
    guard let bought else { throw FleetTestingError("\(name) has bought no '\(productID)' that a user could have") }
    let request = SetAppAccountToken(
      originalTransactionId: TransactionID(bought.originalID), appAccountToken: user.token)
    _ = try await tell(request)
  }

  /// Forgets all that was bought. The account leaves its family. Nothing of it is announced: an app sees it when it reads
  /// again, at its next launch for example.
  public func reset() async throws { _ = try await tell(ResetAccount()) }

  // MARK: Looking

  /// All transactions as they are now, in order of their ids.
  public func transactions() async throws -> [FleetTransaction] {
    try await history().records.map(FleetTransaction.init)
  }

  /// What happened to the account, a line an event, oldest first.
  public func timeline() async throws -> String { try await fleet.timeline(of: name) }

  func history() async throws -> AccountHistory {
    try await FleetTestingError.translating { AccountHistory(try await fleet.journal(of: name)) }
  }

  func tell<Message: Request>(_ message: Message) async throws -> Message.Reply {
    try await fleet.tell(message, address)
  }
}
