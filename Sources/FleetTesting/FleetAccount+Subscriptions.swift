public import Foundation
import Fleet
import Shared
import Wire

/// What happens to an account's subscriptions.
extension FleetAccount {
  /// Switches auto-renew, as the customer does in the settings.
  public func setAutoRenew(_ productID: String, on: Bool) async throws {
    _ = try await tell(SetAutoRenew(productId: productID, on: on))
  }

  /// Changes to another plan of the same group: an upgrade at once, a downgrade with the next renewal.
  ///
  /// - Throws: when the account has no subscription in the plan's group.
  public func changePlan(to productID: String) async throws {
    let world = try await fleet.catalog()
    guard let group = world.product(productID)?.subscription.map(\.groupID) else {
      throw FleetTestingError("'\(productID)' is no plan that the fleet sells: nobody can change to it")
    }
    let running = try await history().running
    guard running.contains(where: { world.product($0.productId)?.subscription.map(\.groupID) == group }) else {
      throw FleetTestingError("\(name) has no subscription that could change to '\(productID)': buy(_:) begins one")
    }
    _ = try await tell(Purchase(productId: productID))
  }

  // MARK: Billing

  /// From now on renewals cannot be charged: of one plan, or of all.
  public func failBilling(_ productID: String? = nil) async throws {
    _ = try await tell(SetBilling(productId: productID, fails: true))
  }

  /// Renewals can be charged again; what is in grace or billing retry recovers at once.
  public func recoverBilling(_ productID: String? = nil) async throws {
    _ = try await tell(SetBilling(productId: productID, fails: false))
  }

  // MARK: The price

  /// Raises the price of a period with the next renewal.
  ///
  /// - Parameters:
  ///   - price: in the storefront's currency.
  ///   - needsConsent: whether the customer has to agree, with `agreeToPrice`; else the subscription ends.
  public func raisePrice(_ productID: String, to price: Decimal, needsConsent: Bool = true) async throws {
    guard let milliunits = Milliunits.parse("\(price)") else {
      throw FleetTestingError("\(price) is no price: expected one such as 6.99")
    }
    _ = try await tell(
      RequestPriceIncrease(productId: productID, priceMilliunits: milliunits, needsConsent: needsConsent))
  }

  /// Answers a price increase; the only one that waits when no product is said.
  public func agreeToPrice(_ productID: String? = nil) async throws {
    _ = try await tell(AnswerPriceIncrease(productId: productID, agree: true))
  }
  public func declinePrice(_ productID: String? = nil) async throws {
    _ = try await tell(AnswerPriceIncrease(productId: productID, agree: false))
  }

  // MARK: Extension

  /// Why the developer extends a subscription (Apple: extendReasonCode).
  public enum ExtensionReason: Int, Hashable, Sendable, CaseIterable {
    case undeclared, customerSatisfaction, other, outage
  }

  /// Moves the next renewal into the future, for free.
  ///
  /// - Parameter days: 1 to 90.
  public func extend(
    _ productID: String, days: Int, reason: ExtensionReason = .undeclared
  ) async throws {
    _ = try await tell(ExtendSubscription(productId: productID, days: days, reason: reason.rawValue))
  }
}
