import Shared
import Testing
import Wire

@testable import Fleet

struct JournalTruthTests {
  private func truth(_ entries: [ReadJournal.Entry], now: String) -> JournalTruth {
    JournalTruth(entries: entries, now: Ledger.day(now))
  }

  @Test func anUnlockLastsUntilItsRefund() {
    let unlock = Ledger.record(1, "life")
    let bought = Ledger.entry(1, "purchased", records: [unlock])
    let before = truth([bought], now: "2027-01-01")
    #expect(before.entitled == ["life"])
    #expect(before.products.map(\.why) == ["bought 2026-01-01"])
    #expect(before.unfinished == [TransactionID(1)])

    let refund = Ledger.entry(2, "refunded", at: "2026-02-03", records: [Ledger.refunded(unlock, "2026-02-03")])
    let after = truth([bought, refund], now: "2027-01-01")
    #expect(after.entitled == [])
    #expect(after.products.map(\.why) == ["refunded 2026-02-03"])
    #expect(after.problems == [])
  }

  @Test func aConsumableIsNeverEntitledAndIsFinishedOnce() {
    let coins = Ledger.record(1, "coins", .consumable)
    let truth = truth(
      [Ledger.entry(1, "purchased", records: [coins]), Ledger.entry(2, "finished", finished: [1])], now: "2026-02-01")
    #expect(truth.entitled == [])
    #expect(truth.unfinished == [])
    #expect(truth.problems == [])
  }

  @Test func theNewestUnrevokedSeasonPassCounts() {
    let first = Ledger.record(1, "pass", .nonRenewing)
    let second = Ledger.record(2, "pass", .nonRenewing, bought: "2026-02-01")
    let entries = [
      Ledger.entry(1, "purchased", records: [first]),
      Ledger.entry(2, "purchased", at: "2026-02-01", records: [second]),
      Ledger.entry(3, "refunded", at: "2026-02-02", records: [Ledger.refunded(second, "2026-02-02")]),
    ]
    let truth = truth(entries, now: "2026-03-01")
    #expect(truth.entitled == ["pass"])
    #expect(truth.products.map(\.transactionId) == [TransactionID(1)])
  }

  @Test func onlyAnExtensionMovesTheEndOfATransaction() {
    let record = Ledger.record(1, "sub", .autoRenewable, until: "2026-02-01")
    let later = Ledger.record(1, "sub", .autoRenewable, until: "2026-02-11", revision: 2)
    let bought = Ledger.entry(1, "purchased", records: [record], infos: [Ledger.info(of: record, .subscribed)])
    let infos = [Ledger.info(of: later, .subscribed, revision: 2)]
    let extended = truth([bought, Ledger.entry(2, "extended", records: [later], infos: infos)], now: "2026-02-05")
    #expect(extended.problems == [])
    #expect(extended.entitled == ["sub"])
    let renewed = truth([bought, Ledger.entry(2, "renewed", records: [later], infos: infos)], now: "2026-02-05")
    #expect(renewed.problems.count == 1)
  }

  @Test func aDeletedPurchaseCountsForNothing() {
    let record = Ledger.record(1, "life")
    var deleted = Ledger.entry(3, "deleted")
    deleted.body = #"{"detail": {"kind": "deletion", "lineage": "1"}}"#
    let entries = [
      Ledger.entry(1, "purchased", records: [record]), Ledger.entry(2, "finished", finished: [1]), deleted,
    ]
    let truth = truth(entries, now: "2026-02-01")
    #expect(truth.entitled == [])
    #expect(truth.problems == [])
  }

  @Test func aPeriodThatATestCutShortMayEndEarlier() {
    let record = Ledger.record(1, "sub", .autoRenewable, until: "2026-02-01")
    let cut = Ledger.record(1, "sub", .autoRenewable, until: "2026-01-15", revision: 2)
    let bought = Ledger.entry(1, "purchased", records: [record], infos: [Ledger.info(of: record, .subscribed)])
    let infos = [Ledger.info(of: cut, .subscribed, revision: 2)]
    let truth = truth(
      [bought, Ledger.entry(2, "cutShort", at: "2026-01-14", records: [cut], infos: infos)], now: "2026-01-14")
    #expect(truth.problems == [])
  }

  @Test func theClockDecidesBetweenThePeriodsOfASubscription() {
    let trial = Ledger.record(1, "sub", .autoRenewable, until: "2026-01-08") {
      $0.offer = AppliedOffer(type: AppliedOffer.introductory, discountType: "FREE_TRIAL", period: "P1W")
    }
    let renewal = Ledger.record(
      2, "sub", .autoRenewable, bought: "2026-01-08", until: "2026-02-08", lineage: 1
    ) { $0.transactionReason = .renewal }
    let first = Ledger.entry(1, "purchased", records: [trial], infos: [Ledger.info(of: trial, .subscribed)])
    let second = Ledger.entry(
      2, "renewed", at: "2026-01-08", records: [renewal], infos: [Ledger.info(of: renewal, .subscribed, revision: 2)])
    let off = Ledger.info(of: renewal, .expired, renews: false, revision: 3)
    let lapse = Ledger.entry(3, "expired", at: "2026-02-08", infos: [off])

    let inTrial = truth([first], now: "2026-01-02")
    #expect(inTrial.products.map(\.why) == ["free trial 2026-01-01, until 2026-01-08"])
    let renewed = truth([first, second], now: "2026-01-08")
    #expect(renewed.entitled == ["sub"])
    #expect(renewed.products.map(\.why) == ["renewed 2026-01-08, until 2026-02-08"])
    let lapsed = truth([first, second, lapse], now: "2026-02-08")
    #expect(lapsed.entitled == [])
    #expect(lapsed.products.map(\.why) == ["lapsed 2026-02-08"])
    #expect((inTrial.problems + renewed.problems + lapsed.problems) == [])
  }

  @Test func graceKeepsAccessAndRetryDoesNot() {
    let period = Ledger.record(1, "sub", .autoRenewable, until: "2026-02-01")
    let grace = Ledger.info(of: period, .inGracePeriod) { $0.gracePeriodExpiresDate = Ledger.day("2026-02-17") }
    let retry = Ledger.info(of: period, .inBillingRetryPeriod, revision: 2)
    let entries = [
      Ledger.entry(1, "purchased", records: [period], infos: [Ledger.info(of: period, .subscribed)]),
      Ledger.entry(2, "renewalFailed", at: "2026-02-01", infos: [grace]),
    ]
    let inGrace = truth(entries, now: "2026-02-10")
    #expect(inGrace.entitled == ["sub"])
    #expect(inGrace.products.map(\.why) == ["payment failed, in grace until 2026-02-17"])
    let inRetry = truth(
      entries + [Ledger.entry(3, "graceEnded", at: "2026-02-17", infos: [retry])], now: "2026-02-17")
    #expect(inRetry.entitled == [])
    #expect(inRetry.problems == [])
  }

  /// With the habit `retryStillEntitled`.
  @Test func retryCountsWhereTheWorldListsIt() {
    let period = Ledger.record(1, "sub", .autoRenewable, until: "2026-02-01")
    let retry = Ledger.info(of: period, .inBillingRetryPeriod, revision: 2)
    let entries = [
      Ledger.entry(1, "purchased", records: [period], infos: [Ledger.info(of: period, .subscribed)]),
      Ledger.entry(2, "renewalFailed", at: "2026-02-01", infos: [retry]),
    ]
    for (habits, entitled) in [(Habits(.documented), []), (Habits(.xcode), ["sub"])] {
      let truth = JournalTruth(entries: entries, now: Ledger.day("2026-02-10"), habits: habits)
      #expect(truth.entitled == entitled)
      #expect(truth.problems == [])
    }
  }

  @Test func anUpgradeMovesTheEntitlement() {
    let basic = Ledger.record(1, "basic", .autoRenewable, until: "2026-02-01")
    let upgraded = Ledger.record(1, "basic", .autoRenewable, until: "2026-02-01", revision: 2) { $0.isUpgraded = true }
    let premium = Ledger.record(
      2, "premium", .autoRenewable, bought: "2026-01-10", until: "2026-02-10", lineage: 1)
    let entries = [
      Ledger.entry(1, "purchased", records: [basic], infos: [Ledger.info(of: basic, .subscribed)]),
      Ledger.entry(
        2, "upgraded", at: "2026-01-10", records: [upgraded, premium],
        infos: [Ledger.info(of: premium, .subscribed, revision: 2)]),
    ]
    let truth = truth(entries, now: "2026-01-11")
    #expect(truth.entitled == ["premium"])
    #expect(truth.problems == [])
  }

  @Test func whatTheFamilySharesGoesWithTheFamily() {
    let shared = Ledger.record(7, "life") { $0.inAppOwnershipType = .familyShared }
    let granted = Ledger.entry(1, "granted", records: [shared])
    #expect(truth([granted], now: "2026-02-01").products.map(\.why) == ["shared by the family 2026-01-01"])
    let revoked = Ledger.refunded(shared, "2026-02-01", type: "FAMILY_REVOKE")
    let left = truth([granted, Ledger.entry(2, "revoked", at: "2026-02-01", records: [revoked])], now: "2026-03-01")
    #expect(left.entitled == [])
    #expect(left.products.map(\.why) == ["no longer shared since 2026-02-01"])
  }

  @Test func aStatusThatTheClockRefutesIsAProblem() {
    let period = Ledger.record(1, "sub", .autoRenewable, until: "2026-02-01")
    let entry = Ledger.entry(1, "purchased", records: [period], infos: [Ledger.info(of: period, .subscribed)])
    let late = truth([entry], now: "2026-02-05")
    #expect(late.entitled == [])
    #expect(
      late.problems == [
        "subscription 1 (sub) counts as subscribed, but it ended on 2026-02-01T00:00:00Z at 2026-02-05T00:00:00Z"
      ])
    let early = truth(
      [Ledger.entry(1, "purchased", records: [period], infos: [Ledger.info(of: period, .expired)])], now: "2026-01-05")
    #expect(early.entitled == ["sub"])
    #expect(
      early.problems == [
        "subscription 1 (sub) counts as expired, but it runs until 2026-02-01T00:00:00Z at 2026-01-05T00:00:00Z"
      ])
  }

  @Test func aJournalThatContradictsItselfIsAProblem() {
    let unlock = Ledger.record(1, "life")
    let newer = Ledger.refunded(unlock, "2026-01-02")
    let entries = [
      Ledger.entry(1, "purchased", records: [newer]), Ledger.entry(3, "changed", records: [unlock]),
      Ledger.entry(4, "finished", finished: [9]),
      ReadJournal.Entry(sequence: 5, name: "broken", at: Ledger.day("2026-01-01"), body: "{"),
    ]
    let problems = truth(entries, now: "2026-02-01").problems
    #expect(
      problems.prefix(3) == [
        "event 3 (changed) follows 1: expected 2", "event 3 (changed) takes transaction 1 back to an older revision",
        "event 4 (finished) finishes transaction 9, which the account never had",
      ])
    #expect(problems.count == 4)
    #expect(problems.last?.hasPrefix("event 5 (broken) cannot be read: ") == true)
  }

  @Test func twoSubscriptionsOfOneGroupAtOnceAreAProblem() {
    let one = Ledger.record(1, "basic", .autoRenewable, until: "2026-02-01")
    let two = Ledger.record(2, "premium", .autoRenewable, until: "2026-02-01")
    let infos = [Ledger.info(of: one, .subscribed), Ledger.info(of: two, .subscribed)]
    let truth = truth([Ledger.entry(1, "purchased", records: [one, two], infos: infos)], now: "2026-01-02")
    #expect(truth.problems == ["2 subscriptions of the group group run at once: basic, premium"])
  }
}
