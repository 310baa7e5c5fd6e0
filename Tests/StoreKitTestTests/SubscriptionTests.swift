import Foundation
import StoreKitTest
import Testing

/// What public suites expect of subscriptions.
@Suite(.storeKitWorld, .timeLimit(.minutes(1))) struct SubscriptionTests {
  private let session: SKTestSession

  init() throws { session = try Shop.session() }

  private func id(_ transaction: Transaction) -> UInt { UInt(transaction.id) }

  private func listed(_ transaction: Transaction) throws -> SKTestTransaction {
    try #require(session.allTransactions().first { $0.identifier == id(transaction) })
  }

  @Test func expiredSubscriptionIsGoneAtOnce() async throws {
    let transaction = try #require(try await Shop.buyInApp(Shop.monthly))
    #expect(await Shop.entitled() == [Shop.monthly])
    try session.expireSubscription(productIdentifier: Shop.monthly)
    #expect(await Shop.entitled() == [])
    #expect(try await Shop.state(Shop.monthly) == .expired)
    #expect(try #require(try listed(transaction).expirationDate) <= Date())
    #expect(throws: SKTestError.self) { try session.expireSubscription(productIdentifier: Shop.monthly) }
  }

  @Test func refundRevokesAndIsAnnounced() async throws {
    let app = await ListeningApp()
    let transaction = try await session.buyProduct(identifier: Shop.monthly)
    try session.refundTransaction(identifier: id(transaction))
    #expect(try await Shop.state(Shop.monthly) == .revoked)
    #expect(await Shop.entitled() == [])
    #expect(try listed(transaction).cancelDate != nil)
    let announced = await app.first(2)[1]
    #expect(announced.id == transaction.id)
    #expect(announced.revocationDate != nil)
  }

  @Test func refundedLifetimeLeavesTheSubscription() async throws {
    let lifetime = try #require(try await Shop.buyInApp(Shop.lifetime))
    try await Shop.buyInApp(Shop.cloud)
    try session.refundTransaction(identifier: id(lifetime))
    #expect(await Shop.entitled() == [Shop.cloud])
  }

  @Test func autoRenewCanBeSwitchedOffAndOn() async throws {
    let transaction = try #require(try await Shop.buyInApp(Shop.monthly))
    try session.disableAutoRenewForTransaction(identifier: id(transaction))
    #expect(await Shop.entitled() == [Shop.monthly])
    #expect(try await Shop.status(Shop.monthly)?.renewalInfo.payloadValue.willAutoRenew == false)
    #expect(try !listed(transaction).autoRenewingEnabled)
    try session.enableAutoRenewForTransaction(identifier: id(transaction))
    #expect(try await Shop.status(Shop.monthly)?.renewalInfo.payloadValue.willAutoRenew == true)
    #expect(try listed(transaction).autoRenewingEnabled)
  }

  @Test func forcedRenewalIsANewTransactionOfTheSameSubscription() async throws {
    let app = await ListeningApp()
    let first = try await session.buyProduct(identifier: Shop.monthly)
    try session.forceRenewalOfSubscription(productIdentifier: Shop.monthly)
    let renewal = try #require(await Transaction.latest(for: Shop.monthly)).payloadValue
    #expect(renewal.id != first.id)
    #expect(renewal.originalID == first.id)
    #expect(renewal.reason == .renewal)
    #expect(await Shop.entitled() == [Shop.monthly])
    #expect(session.allTransactions().count == 2)
    #expect(session.allTransactions().first?.identifier == UInt(renewal.id))
    #expect(session.allTransactions().map(\.originalTransactionIdentifier) == [id(first), id(first)])
    #expect(await app.first(2).map(\.id) == [first.id, renewal.id])
  }

  @Test func forcedRenewalSwitchesAutoRenewOn() async throws {
    let transaction = try #require(try await Shop.buyInApp(Shop.monthly))
    try session.disableAutoRenewForTransaction(identifier: id(transaction))
    try session.forceRenewalOfSubscription(productIdentifier: Shop.monthly)
    #expect(await Shop.entitled() == [Shop.monthly])
    #expect(try await Shop.status(Shop.monthly)?.renewalInfo.payloadValue.willAutoRenew == true)
  }

  @Test func downgradeIsForTheNextPeriod() async throws {
    try await Shop.buyInApp(Shop.yearly)
    _ = try await Shop.product(Shop.monthly).purchase()
    #expect(await Shop.entitled() == [Shop.yearly])
    #expect(try await Shop.status(Shop.yearly)?.renewalInfo.payloadValue.autoRenewPreference == Shop.monthly)
    try session.forceRenewalOfSubscription(productIdentifier: Shop.yearly)
    #expect(await Shop.entitled() == [Shop.monthly])
  }

  @Test func introductoryOfferIsUsedOnce() async throws {
    let subscription = try #require(try await Shop.product(Shop.monthly).subscription)
    #expect(await subscription.isEligibleForIntroOffer)
    let trial = try #require(try await Shop.buyInApp(Shop.monthly))
    #expect(trial.offer?.type == .introductory)
    #expect(await !subscription.isEligibleForIntroOffer)
    try session.forceRenewalOfSubscription(productIdentifier: Shop.monthly)
    let renewal = try #require(await Transaction.latest(for: Shop.monthly)).payloadValue
    #expect(renewal.offer == nil)
    #expect(await !Product.SubscriptionInfo.isEligibleForIntroOffer(for: subscription.subscriptionGroupID))
  }

  @Test func failedRenewalWithoutGraceTakesTheAccess() async throws {
    session.shouldEnterBillingRetryOnRenewal = true
    session.billingGracePeriodIsEnabled = false
    try await Shop.buyInApp(Shop.monthly)
    try session.forceRenewalOfSubscription(productIdentifier: Shop.monthly)
    #expect(try await Shop.state(Shop.monthly) == .inBillingRetryPeriod)
    #expect(await Shop.entitled() == [])
    let failed = try #require(session.allTransactions().first)
    #expect(failed.hasPurchaseIssue)
    session.shouldEnterBillingRetryOnRenewal = false
    #expect(try await Shop.state(Shop.monthly) == .inBillingRetryPeriod, "it stays until the issue is resolved")
    try session.resolveIssueForTransaction(identifier: failed.identifier)
    #expect(try await Shop.state(Shop.monthly) == .subscribed)
    #expect(await Shop.entitled() == [Shop.monthly])
  }

  @Test func issueIsResolvedWhileRenewalsStillFail() async throws {
    session.shouldEnterBillingRetryOnRenewal = true
    try await Shop.buyInApp(Shop.monthly)
    try await Shop.buyInApp(Shop.cloud)
    try session.forceRenewalOfSubscription(productIdentifier: Shop.monthly)
    try session.forceRenewalOfSubscription(productIdentifier: Shop.cloud)
    #expect(await Shop.entitled() == [])
    let failed = try #require(session.allTransactions().first { $0.productIdentifier == Shop.monthly })
    try session.resolveIssueForTransaction(identifier: failed.identifier)
    #expect(await Shop.entitled() == [Shop.monthly])
    #expect(try await Shop.state(Shop.cloud) == .inBillingRetryPeriod, "it has an issue of its own")
    try session.forceRenewalOfSubscription(productIdentifier: Shop.monthly)
    #expect(try await Shop.state(Shop.monthly) == .inBillingRetryPeriod, "each renewal fails anew")
  }

  @Test func gracePeriodKeepsTheAccessPastTheEnd() async throws {
    session.shouldEnterBillingRetryOnRenewal = true
    session.billingGracePeriodIsEnabled = true
    let transaction = try #require(try await Shop.buyInApp(Shop.monthly))
    try session.forceRenewalOfSubscription(productIdentifier: Shop.monthly)
    #expect(try await Shop.state(Shop.monthly) == .inGracePeriod)
    #expect(await Shop.entitled() == [Shop.monthly])
    #expect(try #require(try listed(transaction).expirationDate) <= Date())
    try session.forceRenewalOfSubscription(productIdentifier: Shop.monthly)
    #expect(try await Shop.state(Shop.monthly) == .inBillingRetryPeriod)
    #expect(await Shop.entitled() == [])
  }

  @Test func priceIncreaseWaitsForConsent() async throws {
    let transaction = try #require(try await Shop.buyInApp(Shop.monthly))
    func increase() async throws -> Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus? {
      try await Shop.status(Shop.monthly)?.renewalInfo.payloadValue.priceIncreaseStatus
    }
    #expect(try await increase() == .noIncreasePending)
    try session.requestPriceIncreaseConsentForTransaction(identifier: id(transaction))
    #expect(try await increase() == .pending)
    #expect(try listed(transaction).isPendingPriceIncreaseConsent)
    try session.consentToPriceIncreaseForTransaction(identifier: id(transaction))
    #expect(try await increase() == .agreed)
    #expect(try !listed(transaction).isPendingPriceIncreaseConsent)
  }

  @Test func forcedRenewalForgetsAPriceIncreaseThatWaits() async throws {
    let transaction = try #require(try await Shop.buyInApp(Shop.monthly))
    try session.requestPriceIncreaseConsentForTransaction(identifier: id(transaction))
    try session.forceRenewalOfSubscription(productIdentifier: Shop.monthly)
    #expect(await Shop.entitled() == [Shop.monthly])
    #expect(try await Shop.status(Shop.monthly)?.renewalInfo.payloadValue.priceIncreaseStatus == .noIncreasePending)
  }

  @Test func declinedPriceIncreaseEndsTheSubscription() async throws {
    let transaction = try #require(try await Shop.buyInApp(Shop.monthly))
    try session.requestPriceIncreaseConsentForTransaction(identifier: id(transaction))
    try session.declinePriceIncreaseForTransaction(identifier: id(transaction))
    #expect(try await Shop.status(Shop.monthly)?.renewalInfo.payloadValue.willAutoRenew == false)
    try session.clock.advance(by: .seconds(40 * 86_400))
    #expect(try await Shop.state(Shop.monthly) == .expired)
  }

  @Test func deletedTransactionNeverWas() async throws {
    let app = await ListeningApp()
    let transaction = try await session.buyProduct(identifier: Shop.monthly)
    try session.forceRenewalOfSubscription(productIdentifier: Shop.monthly)
    try await Shop.buyInApp(Shop.lifetime)
    _ = await app.first(2)
    try session.deleteTransaction(identifier: id(transaction))
    #expect(session.allTransactions().map(\.productIdentifier) == [Shop.lifetime])
    #expect(await Shop.entitled() == [Shop.lifetime])
    #expect(await Transaction.latest(for: Shop.monthly) == nil)
    #expect(try await Shop.status(Shop.monthly) == nil)
    let subscription = try #require(try await Shop.product(Shop.monthly).subscription)
    #expect(await subscription.isEligibleForIntroOffer)
    #expect(try await session.buyProduct(identifier: Shop.monthly).id > transaction.id)
  }

  @Test func timeRateIsForWhatIsBoughtThen() async throws {
    session.timeRate = .monthlyRenewalEveryThirtySeconds
    let fast = try #require(try await Shop.buyInApp(Shop.cloud))
    #expect(fast.expirationDate == fast.purchaseDate.addingTimeInterval(10))
    session.timeRate = .realTime
    #expect(try listed(fast).expirationDate == fast.expirationDate)
    #expect(SKTestSession.TimeRate(rawValue: 1_005) == .oneRenewalEveryTwoSeconds)
  }

  @Test(arguments: SKTestSession.TimeRate.allCases) func everyRateIsTaken(rate: SKTestSession.TimeRate) async throws {
    session.timeRate = rate
    #expect(session.timeRate == rate)
    let transaction = try #require(try await Shop.buyInApp(Shop.cloud))
    let length = try #require(transaction.expirationDate).timeIntervalSince(transaction.purchaseDate)
    let week: TimeInterval =
      switch rate {
      case .realTime: 7 * 86_400
      case .oneHourIsOneDay: 7 * 3_600
      case .thirtyMinutesIsOneDay: 7 * 1_800
      case .fifteenMinutesIsOneDay: 7 * 900
      case .fiveMinutesIsOneDay: 7 * 300
      case .oneMinuteIsOneDay: 7 * 60
      case .oneSecondIsOneDay: 7
      case .monthlyRenewalEveryHour, .oneRenewalEveryFifteenMinutes: 900
      case .monthlyRenewalEveryThirtyMinutes: 600
      case .monthlyRenewalEveryFifteenMinutes, .oneRenewalEveryFiveMinutes: 300
      case .monthlyRenewalEveryFiveMinutes: 180
      case .monthlyRenewalEveryThirtySeconds: 10
      case .oneRenewalEveryMinute: 60
      case .oneRenewalEveryThirtySeconds: 30
      case .oneRenewalEveryTenSeconds: 10
      case .oneRenewalEveryTwoSeconds: 2
      }
    // A calendar week has an hour more or less where clocks change; the store counts in UTC.
    #expect(length == week)
  }

  @Test func acceleratedRenewalsComeByThemselves() async throws {
    let app = await ListeningApp()
    session.timeRate = .oneRenewalEveryTwoSeconds
    let first = try await session.buyProduct(identifier: Shop.cloud)
    let renewal = await app.first(2)[1]
    #expect(renewal.originalID == first.id)
    #expect(renewal.reason == .renewal)
  }
}
