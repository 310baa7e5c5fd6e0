import Shared
import Testing
import Wire

@testable import Fleet

struct AccountTimelineTests {
  private func text(_ entries: ReadJournal.Entry...) -> [String] { AccountTimeline(entries).lines.map(\.text) }

  private let month = Ledger.record(7, "monthly", .autoRenewable, bought: "2026-01-01", until: "2026-02-01")

  @Test func purchaseSaysPriceEndAndTransaction() {
    #expect(
      text(Ledger.entry(1, "purchased", records: [month])) == [
        "bought monthly until 2026-02-01T00:00:00Z for 0.99 USD (transaction 7)"
      ])
  }

  @Test func trialIsCalledOne() {
    var trial = month
    trial.offer = AppliedOffer(type: AppliedOffer.introductory, discountType: "FREE_TRIAL", period: "P1M")
    #expect(
      text(Ledger.entry(1, "purchased", records: [trial])) == [
        "began a free trial of monthly until 2026-02-01T00:00:00Z (transaction 7)"
      ])
  }

  @Test func eventsThatOnlyNumberATransactionNameItsProduct() {
    #expect(
      text(Ledger.entry(1, "purchased", records: [month]), Ledger.entry(2, "finished", finished: [7])).last
        == "finished monthly 7")
  }

  @Test func finishIsSeenInTheHistorysRecordAlsoAfterALaterRevision() {
    var refunded = month
    refunded.recordRevision += 1
    let bought = Ledger.entry(1, "purchased", records: [month])
    let finished = Ledger.entry(2, "finished", finished: [7])
    #expect(AccountHistory([bought]).records.map(\.isFinished) == [false])
    #expect(AccountHistory([bought, finished]).records.map(\.isFinished) == [true])
    let later = Ledger.entry(3, "refunded", records: [refunded])
    #expect(AccountHistory([bought, finished, later]).records.map(\.isFinished) == [true])
  }

  @Test func failedPaymentSaysWhetherTheAccessStays() {
    let grace = Ledger.info(of: month, .inGracePeriod) { $0.gracePeriodExpiresDate = Ledger.day("2026-02-17") }
    let retry = Ledger.info(of: month, .inBillingRetryPeriod)
    #expect(
      text(Ledger.entry(1, "billingFailed", infos: [grace]), Ledger.entry(2, "billingFailed", infos: [retry])) == [
        "payment for monthly failed: in grace until 2026-02-17T00:00:00Z",
        "payment for monthly failed: the access is gone, billing is tried again",
      ])
  }

  @Test func lapseSaysWhy() {
    let info = Ledger.info(of: month, .expired) { $0.expirationIntent = 3 }
    #expect(
      text(Ledger.entry(1, "expired", infos: [info])) == [
        "monthly lapsed: the customer did not agree to the new price"
      ])
  }

  @Test func eventWithoutWordsKeepsItsName() {
    #expect(text(Ledger.entry(1, "teleported", records: [month])) == ["teleported monthly"])
  }

  @Test func detailOfTheJournalIsRead() {
    let entry = ReadJournal.Entry(
      sequence: 1, name: "familyJoined", at: Ledger.day("2026-01-01"),
      body: #"{"detail":{"kind":"family","family":"smith"}}"#)
    #expect(text(entry) == ["joined the family smith"])
    #expect(AccountHistory([entry]).family == "smith")
  }

  @Test func onlySubscriptionIsTheOneThatRunsAndIsOnesOwn() {
    let lapsed = Ledger.info(of: Ledger.record(1, "old", .autoRenewable, until: "2025-02-01"), .expired)
    let shared = Ledger.info(of: Ledger.record(2, "theirs", .autoRenewable, until: "2026-02-01"), .subscribed) {
      $0.inAppOwnershipType = .familyShared
    }
    let own = Ledger.info(of: month, .inBillingRetryPeriod)
    let history = AccountHistory([Ledger.entry(1, "purchased", infos: [lapsed, shared, own])])
    #expect(history.running.map(\.productId) == ["monthly"])
  }
}
