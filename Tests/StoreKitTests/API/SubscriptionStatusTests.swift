import Foundation
import Shared
import StoreKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct SubscriptionStatusTests {
  private let daemon = FakeDaemon()

  private func status(_ change: (inout RenewalInfo) -> Void = { _ in }) async throws -> StoreKit.SubscriptionStatus {
    daemon.put(.yearly)
    daemon.put(RenewalInfo.subscription.with(change))
    return try await on(daemon) { try #require(try await SubscriptionInfo.status(for: "21000000").first) }
  }

  @Test func aSubscribedStatus() async throws {
    let status = try await status()
    #expect(status.state == .subscribed)
    #expect(try status.transaction.payloadValue.productID == "yearly")
    let info = try status.renewalInfo.payloadValue
    #expect(info.willAutoRenew)
    #expect(info.autoRenewPreference == "yearly")
    #expect(info.currentProductID == "yearly")
    #expect(info.renewalPrice == Decimal(string: "39.99"))
    #expect(info.renewalDate == Date(timeIntervalSince1970: 1_811_536_000))
    #expect(info.expirationReason == nil)
    #expect(!info.isInBillingRetry)
    #expect(info.priceIncreaseStatus == .noIncreasePending)
    #expect(status.renewalInfo.payloadData == info.jsonRepresentation)
  }

  @Test func aGracePeriod() async throws {
    let end = TransactionRecord.start
    let status = try await status { info in
      info.status = .inGracePeriod
      info.expirationIntent = 2
      info.gracePeriodExpiresDate = end
      info.priceIncreaseStatus = 0
    }
    #expect(status.state == .inGracePeriod)
    let info = try status.renewalInfo.payloadValue
    #expect(info.isInBillingRetry)
    #expect(info.expirationReason == .billingError)
    #expect(info.gracePeriodExpirationDate == end.date)
    #expect(info.priceIncreaseStatus == .pending)
  }

  @Test func noPreferenceWhenItWillNotRenew() async throws {
    let info = try await status { $0.willAutoRenew = false }.renewalInfo.payloadValue
    #expect(info.autoRenewPreference == nil)
  }

  @Test func everyWayToAStatusGivesTheSame() async throws {
    let expected = try await status()
    daemon.sell(.yearly)
    try await on(daemon) {
      let product = try #require(try await Product.products(for: ["yearly"]).first)
      #expect(try await product.subscription?.status == [expected])
      #expect(try await SubscriptionInfo.status(transactionID: 2_000_000_000_000_100) == expected)
      #expect(try await SubscriptionInfo.status(transactionID: 1) == nil)
      #expect(try await SubscriptionInfo.status(for: "other").isEmpty)
      let groups = await SubscriptionStatus.all.collect()
      #expect(groups.map(\.groupID) == ["21000000"])
      #expect(groups.first?.statuses == [expected])
    }
  }

  @Test func anExpiryComesThroughStatusUpdates() async throws {
    daemon.put(.yearly)
    let updates = await on(daemon) { SubscriptionStatus.updates }
    var iterator = updates.makeAsyncIterator()
    daemon.announce(RenewalInfo.subscription.with { $0.status = .expired })
    #expect(await iterator.next()?.state == .expired)
  }

  @Test(arguments: [true, false])
  func eligibilityIsTheStores(_ isEligible: Bool) async throws {
    daemon.sell(.yearly)
    daemon.setEligible(isEligible)
    try await on(daemon) {
      let product = try #require(try await Product.products(for: ["yearly"]).first)
      #expect(await product.subscription?.isEligibleForIntroOffer == isEligible)
      #expect(await SubscriptionInfo.isEligibleForIntroOffer(for: "21000000") == isEligible)
    }
  }
}
