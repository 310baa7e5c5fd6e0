import ClientNode
import Shared

extension Product {
  /// What an auto-renewable subscription has beyond other products.
  public struct SubscriptionInfo: Sendable {
    let terms: SubscriptionTerms
    let content: ProductContent
    let daemon: any StoreDaemon

    public var introductoryOffer: SubscriptionOffer? { offers(terms.introductoryOffers).first }
    public var promotionalOffers: [SubscriptionOffer] { offers(terms.promotionalOffers) }
    public var winBackOffers: [SubscriptionOffer] { offers(terms.winBackOffers) }
    public var subscriptionGroupID: String { terms.groupID }
    public var subscriptionPeriod: SubscriptionPeriod { SubscriptionPeriod(terms.period) }
    /// 1 is the highest level of service.
    public var groupLevel: Int { terms.level }
    public var groupDisplayName: String { content.groupDisplayName }

    /// Whether an introductory offer would apply, if the product has one.
    public var isEligibleForIntroOffer: Bool {
      get async { await daemon.isEligibleForIntroOffer(group: subscriptionGroupID) }
    }

    public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
      await CurrentDevice.orNothing()?.isEligibleForIntroOffer(group: groupID) ?? false
    }

    /// One status for each lineage of the group; none when the customer never subscribed. The order means nothing.
    /// - Throws: `StoreKitError`.
    public var status: [Status] {
      get async throws { try await Status.statuses(of: subscriptionGroupID, on: daemon) }
    }

    public static func status(for groupID: String) async throws -> [Status] {
      try await Status.statuses(of: groupID, on: CurrentDevice.orThrow())
    }

    /// The status of the subscription that a transaction belongs to.
    public static func status(transactionID: UInt64) async throws -> Status? {
      let daemon = try CurrentDevice.orThrow()
      let id = TransactionID(transactionID)
      let transaction = await daemon.transactions(.all).first { $0.record.transactionId == id }
      guard let record = transaction?.record else { return nil }
      return try await Status.statuses(of: nil, on: daemon).first { $0.lineage == record.originalTransactionId }
    }

    private func offers(_ offers: [Shared.SubscriptionOffer]) -> [SubscriptionOffer] {
      offers.map { SubscriptionOffer($0, in: content) }
    }
  }
}

extension Product.SubscriptionInfo: Hashable {
  public static func == (left: Self, right: Self) -> Bool { left.content == right.content }
  public func hash(into hasher: inout Hasher) { hasher.combine(content) }
}
