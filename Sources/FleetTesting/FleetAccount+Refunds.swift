import Fleet
import Shared
import Wire

/// Money that goes back. A product means its newest purchase.
extension FleetAccount {
  /// Why money goes back (Apple: revocationReason).
  public enum RefundReason: Int, Hashable, Sendable, CaseIterable {
    case other, appIssue
  }

  /// Gives the money back.
  ///
  /// - Parameter percent: 1 to 100, of the price; nil for all of it.
  public func refund(
    _ productID: String, reason: RefundReason = .other, percent: Int? = nil
  ) async throws {
    try FleetAccount.check(percent, 1...100)
    _ = try await tell(
      Refund(productId: productID, reason: reason.rawValue, percentage: percent.map { Int64($0) * 1_000 }))
  }

  /// Why a customer wants money back (Apple: consumptionRequestReason).
  public enum RequestReason: String, Hashable, Sendable, CaseIterable {
    case unintendedPurchase, fulfillmentIssue, unsatisfiedWithPurchase, legal, other
  }

  /// Asks for money back, as the customer does. A subscription's auto-renew goes off. `refund`, `declineRefund` or what the
  /// backend prefers in `tellConsumption` decides.
  public func requestRefund(_ productID: String, reason: RequestReason = .other) async throws {
    let word: ConsumptionRequestReason =
      switch reason {
      case .unintendedPurchase: .unintendedPurchase
      case .fulfillmentIssue: .fulfillmentIssue
      case .unsatisfiedWithPurchase: .unsatisfiedWithPurchase
      case .legal: .legal
      case .other: .other
      }
    _ = try await tell(RequestRefund(productId: productID, reason: word))
  }

  /// What the developer's backend would like the store to decide.
  public enum RefundPreference: String, Hashable, Sendable, CaseIterable {
    case decline = "DECLINE"
    case grantFull = "GRANT_FULL"
    case grantProrated = "GRANT_PRORATED"
  }

  /// Whether the purchase was delivered, as the backend says (Apple: deliveryStatus).
  public enum DeliveryStatus: String, Hashable, Sendable, CaseIterable {
    case delivered = "DELIVERED"
    case qualityIssue = "UNDELIVERED_QUALITY_ISSUE"
    case wrongItem = "UNDELIVERED_WRONG_ITEM"
    case serverOutage = "UNDELIVERED_SERVER_OUTAGE"
    case undelivered = "UNDELIVERED_OTHER"
  }

  /// The developer's backend tells what was used of a purchase that money back is asked for (Apple: Send Consumption
  /// Information).
  ///
  /// - Parameters:
  ///   - percent: 0 to 100, how much was used.
  ///   - preferring: decides at once; nil leaves it to the store.
  /// - Throws: when nobody asks for money back for it, or the twelve hours for it are over.
  public func tellConsumption(
    _ productID: String, percent: Int? = nil, preferring preference: RefundPreference? = nil,
    delivery: DeliveryStatus = .delivered
  ) async throws {
    try FleetAccount.check(percent, 0...100)
    guard let open = try await history().openRefund(of: productID) else {
      throw FleetTestingError(
        "\(name) does not ask for money back for '\(productID)': requestRefund(_:) asks for it")
    }
    let information = ConsumptionRequestV2(
      deliveryStatus: delivery.rawValue, consumptionPercentage: percent.map { Int64($0) * 1_000 },
      refundPreference: preference?.rawValue)
    _ = try await tell(SendConsumptionInformation(transactionId: open, information: .v2(information)))
  }

  /// Gives no money back to a customer who asked for it.
  public func declineRefund(_ productID: String) async throws {
    _ = try await tell(DeclineRefund(productId: productID))
  }

  /// Takes a refund back, after a dispute for example.
  public func reverseRefund(_ productID: String) async throws {
    _ = try await tell(ReverseRefund(productId: productID))
  }

  private static func check(_ percent: Int?, _ range: ClosedRange<Int>) throws(FleetTestingError) {
    guard let percent, !range.contains(percent) else { return }
    throw FleetTestingError("\(percent) is no percentage here: expected \(range.lowerBound) to \(range.upperBound)")
  }
}
