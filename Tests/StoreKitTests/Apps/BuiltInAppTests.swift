import ClientNode
import DeviceApp
import Foundation
import Shared
import StoreKit
import Testing
import Wire

@MainActor @Suite(.timeLimit(.minutes(1))) struct BuiltInAppTests {
  private let daemon = FakeDaemon()

  private func launch() async -> BuiltInApp { await on(daemon) { BuiltInApp() } }

  /// Launched, listening, and with its first reading done.
  private func launchedAndKnown() async -> BuiltInApp {
    let app = await launch()
    await until { app.access != .unknown }
    await daemon.wait { $0.contains(.query(.unfinished)) }
    return app
  }

  @Test func accessIsUnknownUntilTheFirstReadingHasEnded() async {
    daemon.holdQueries()
    let app = await launch()
    await daemon.wait { $0.contains(.query(.currentEntitlements)) }
    #expect(app.screen.access == .unknown)
    daemon.stopHolding()
    await until { app.access == .locked }
  }

  @Test func anEmptyReadingCountsOnlyOnceTheStoreHasLoaded() async {
    daemon.put(.of(.pro))
    daemon.startCold()
    let app = await launchedAndKnown()
    #expect(app.screen == DeviceScreen(access: .unlocked, entitled: ["pro"]))
    #expect(daemon.calls.count { $0 == .load } == 1)
  }

  @Test func whatIsAnnouncedBeforeItIsListedUnlocksOnceItIs() async {
    let app = await launchedAndKnown()
    daemon.lag(readings: 2)
    daemon.announce(.of(.pro, id: 5))
    await daemon.waitUntilFinished(TransactionID(5))
    await until { app.entitled == ["pro"] }
  }

  @Test func anUpgradedPlanThatIsListedStillDoesNotUnlock() async {
    daemon.put(TransactionRecord.yearly.with { $0.isUpgraded = true })
    daemon.put(RenewalInfo.subscription)
    let app = await launchedAndKnown()
    #expect(app.access == .locked)
  }

  @Test func anOwnedProductUnlocks() async {
    daemon.put(.of(.pro))
    let app = await launchedAndKnown()
    #expect(app.screen == DeviceScreen(access: .unlocked, entitled: ["pro"]))
  }

  @Test func itListensBeforeItsInitializerReturns() async {
    let app = await launch()
    #expect(daemon.listenerCount == 1)
    daemon.announce(.of(.pro, id: 5))
    await daemon.waitUntilFinished(TransactionID(5))
    await until { app.entitled == ["pro"] }
  }

  @Test func whatWasUnfinishedIsFinished() async {
    daemon.put(.of(.pro, id: 1))
    daemon.put(.of(.coins, id: 2))
    let app = await launch()
    await daemon.waitUntilFinished(TransactionID(1))
    await daemon.waitUntilFinished(TransactionID(2))
    #expect(app.balance == ["coins": 1])
  }

  @Test func unverifiedTransactionsAreFinishedAndGrantNothing() async {
    let app = await launchedAndKnown()
    daemon.announce(.of(.coins, id: 6), failure: .invalidSignature, jws: JWS.of(.of(.coins, id: 99)))
    daemon.announce(.of(.pro, id: 7), failure: .invalidCertificateChain)
    await daemon.waitUntilFinished(TransactionID(6))
    await daemon.waitUntilFinished(TransactionID(7))
    #expect(app.balance.isEmpty)
    #expect(app.screen.access == .locked)
  }

  @Test func aRefundLocks() async {
    daemon.put(.of(.pro, id: 1))
    let app = await launchedAndKnown()
    daemon.announce(TransactionRecord.of(.pro, id: 1).refunded)
    await until { app.access == .locked }
    #expect(app.entitled.isEmpty)
  }

  @Test func anExpiryLocksThoughItMakesNoTransaction() async {
    daemon.put(.yearly)
    daemon.put(RenewalInfo.subscription)
    let app = await launchedAndKnown()
    #expect(app.entitled == ["yearly"])
    daemon.announce(RenewalInfo.subscription.with { $0.status = .expired })
    await until { app.access == .locked }
  }

  @Test func sharedProductsAreMarkedUnlessTheyAreOwnedToo() async {
    daemon.put(TransactionRecord.of(.pro, id: 1).with { $0.inAppOwnershipType = .familyShared })
    let app = await launchedAndKnown()
    #expect(app.screen == DeviceScreen(access: .unlocked, entitled: ["pro"], familyShared: ["pro"]))
    daemon.announce(.of(.pro, id: 2))
    await until { app.familyShared.isEmpty }
    #expect(app.entitled == ["pro"])
  }

  @Test func aConsumableIsGrantedOnceHoweverOftenItComes() async {
    let app = await launchedAndKnown()
    let coins = TransactionRecord.of(.coins, id: 3).with { $0.quantity = 5 }
    daemon.announce(coins)
    daemon.announceAgain(coins.transactionId)
    daemon.announceAgain(coins.transactionId)
    daemon.announce(.of(.coins, id: 4))
    await daemon.waitUntilFinished(TransactionID(4))
    #expect(app.balance == ["coins": 6])
    #expect(daemon.finished.filter { $0 == coins.transactionId }.count >= 3)
    #expect(app.screen.access == .locked)
  }

  @Test func aRefundedConsumableIsTakenBackOnce() async {
    let app = await launchedAndKnown()
    let coins = TransactionRecord.of(.coins, id: 3)
    daemon.announce(coins)
    daemon.announce(coins.refunded)
    daemon.announceAgain(coins.transactionId)
    daemon.announce(.of(.pro, id: 4))
    await daemon.waitUntilFinished(TransactionID(4))
    #expect(app.balance == ["coins": 0])
  }

  @Test func anOlderReadingNeverOverwritesANewerOne() async {
    // Finished, so that nothing of it keeps the listener busy.
    daemon.put(TransactionRecord.yearly.with { $0.isFinished = true })
    let app = await launchedAndKnown()
    daemon.holdQueries()
    // This reading is held with nothing in its snapshot while a purchase comes, whose own reading would end first.
    let readings = daemon.calls.count { $0 == .query(.currentEntitlements) }
    daemon.announce(RenewalInfo.subscription.with { $0.status = .expired })
    await daemon.wait { $0.count { $0 == .query(.currentEntitlements) } > readings }
    daemon.announce(.of(.pro, id: 9))
    // Turns in which a reading that did not wait for the held one would begin.
    for _ in 0..<200 { await Task.yield() }
    daemon.stopHolding()
    await daemon.waitUntilFinished(TransactionID(9))
    #expect(app.entitled == ["pro"])
  }

  // MARK: Taps

  private func sellPro(_ answer: @escaping @Sendable (PurchaseOrder) throws(DaemonError) -> PurchaseOutcome) {
    daemon.sell(.pro)
    daemon.answerPurchases(answer)
  }

  @Test func aPurchaseUnlocksAndIsFinished() async {
    let app = await launchedAndKnown()
    let record = TransactionRecord.of(.pro, id: 11)
    sellPro { [daemon] _ throws(DaemonError) in
      daemon.put(record)
      return .success(SignedTransaction(record: record, jws: JWS.of(record), failure: nil))
    }
    await on(daemon) { await app.buy("pro", quantity: 1) }
    #expect(app.screen == DeviceScreen(access: .unlocked, entitled: ["pro"], phase: .completed))
    #expect(daemon.finished == [TransactionID(11)])
  }

  @Test func anUnverifiedPurchaseFailsAndIsFinished() async {
    let app = await launchedAndKnown()
    let record = TransactionRecord.of(.coins, id: 12)
    sellPro { _ throws(DaemonError) in
      .success(SignedTransaction(record: record, jws: JWS.of(record), failure: .invalidSignature))
    }
    await on(daemon) { await app.buy("pro", quantity: 1) }
    #expect(app.screen.phase == .failed)
    #expect(app.screen.message == "The signature does not belong to this data.")
    #expect(app.balance.isEmpty)
    #expect(daemon.finished == [TransactionID(12)])
  }

  @Test func askToBuyWaitsAndTheApprovalUnlocks() async {
    let app = await launchedAndKnown()
    sellPro { _ throws(DaemonError) in .pending }
    await on(daemon) { await app.buy("pro", quantity: 1) }
    #expect(app.screen == DeviceScreen(access: .locked, phase: .awaitingApproval))
    daemon.announce(.of(.pro, id: 13))
    await until { app.access == .unlocked }
  }

  @Test func cancellingIsNoFailure() async {
    let app = await launchedAndKnown()
    sellPro { _ throws(DaemonError) in .userCancelled }
    await on(daemon) { await app.buy("pro", quantity: 1) }
    #expect(app.screen == DeviceScreen(access: .locked, phase: .idle))
  }

  @Test func aRefusalIsTold() async {
    let app = await launchedAndKnown()
    sellPro { _ throws(DaemonError) in throw .refused(.purchaseNotAllowed, "no") }
    await on(daemon) { await app.buy("pro", quantity: 1) }
    #expect(app.screen.phase == .failed)
    #expect(app.screen.message == "This account may not make purchases.")
    await on(daemon) { await app.buy("nothing", quantity: 1) }
    #expect(app.screen.message == "Item Unavailable")
  }

  @Test func theSignedInUserGoesWithPurchases() async {
    let app = await launchedAndKnown()
    let user = UUID()
    sellPro { _ throws(DaemonError) in .userCancelled }
    await app.signIn(user: user)
    await on(daemon) { await app.buy("pro", quantity: 2) }
    await app.signIn(user: nil)
    await on(daemon) { await app.buy("pro", quantity: 1) }
    let orders = daemon.calls.compactMap { call in
      if case .purchase(let order) = call { order } else { nil }
    }
    #expect(orders.map(\.appAccountToken) == [user, nil])
    #expect(orders.map(\.quantity) == [2, 1])
  }

  @Test func aRestoreTellsWhatItFound() async {
    let app = await launchedAndKnown()
    await on(daemon) { await app.restore() }
    #expect(app.screen.restore == .nothingToRestore)
    daemon.put(.of(.pro))
    await on(daemon) { await app.restore() }
    #expect(app.screen.restore == .restored)
    #expect(app.screen.entitled == ["pro"])
    daemon.failSync(.network)
    await on(daemon) { await app.restore() }
    #expect(app.screen.restore == .failed)
    #expect(app.screen.message?.contains("cannot be reached") == true)
  }

  @Test func theListenerDoesNotKeepTheAppAlive() async {
    weak var released: BuiltInApp?
    do {
      let app = await launchedAndKnown()
      released = app
    }
    daemon.end()
    while released != nil { await Task.yield() }
  }
}
