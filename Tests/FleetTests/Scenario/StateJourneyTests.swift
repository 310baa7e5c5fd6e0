import Foundation
import Shared
import Testing

@testable import Fleet

struct StateJourneyTests {
  private static let now = Ledger.day("2026-01-10")

  private func journey(
    _ kind: ScenarioState.Kind, _ time: Duration, _ id: String
  ) throws -> (commands: [String], end: StoreTime) {
    let catalog = try Catalog(data: Data(BuiltInCatalog.text.utf8), file: "built-in")
    let product = try #require(catalog.product(id))
    let journey = try StateJourney(
      kind, time, account: "alice", product: product, timeRate: .realTime, from: Self.now)
    return (journey.commands.map { "\($0.at) \($0.command)" }, journey.end)
  }

  @Test func trialBeginsNowAndTheClockMovesToItsLastMinutes() throws {
    let trial = try journey(.trial, .seconds(300), "com.example.app.yearly")
    #expect(trial.commands == ["2026-01-10T00:00:00Z buy"])
    #expect(trial.end.description == "2026-01-16T23:55:00Z")
  }

  @Test func lapseComesAfterAPaidPeriod() throws {
    let lapsed = try journey(.lapsed, .seconds(40 * 86_400), "com.example.app.monthly")
    #expect(lapsed.commands == ["2026-01-10T00:00:00Z buy", "2026-01-10T00:00:00Z cancel"])
    #expect(lapsed.end.description == "2026-03-22T00:00:00Z")
  }

  @Test func moreThanTheWholeTrialCannotBeLeft() {
    #expect(throws: ImpossibleState.self) {
      try journey(.trial, .seconds(9 * 86_400), "com.example.app.yearly")
    }
  }

  private func journey(
    _ kind: ScenarioState.Kind, days: Int, _ id: String, grace: GracePeriod? = nil, running: String? = nil,
    isEligible: Bool = true
  ) throws -> StateJourney {
    let catalog = try Catalog(data: Data(BuiltInCatalog.text.utf8), file: "built-in")
    let product = try #require(catalog.product(id))
    let group = try #require(
      product.subscription?.groupID ?? catalog.product("com.example.app.monthly")?.subscription?.groupID)
    let entries = running.map { plan in
      let record = Ledger.record(1, plan, .autoRenewable, until: "2026-02-01")
      let info = Ledger.info(of: record, .subscribed) { $0.subscriptionGroupIdentifier = group }
      return Ledger.entry(2, "purchased", records: [record], infos: [info])
    }
    let history = AccountHistory(entries.map { [$0] } ?? [])
    return try StateJourney(
      kind, .seconds(days * 86_400), account: "alice", product: product, timeRate: .realTime, gracePeriod: grace,
      history: history, isEligibleForIntroOffer: isEligible, from: Self.now)
  }

  private func refusal(_ make: () throws -> StateJourney) -> String? {
    do { _ = try make() } catch { return (error as? ImpossibleState)?.message }
    return nil
  }

  /// What stands in the way is told before anything is bought.
  @Test func whatTheAccountHasDoneMayStandInTheWay() {
    let (yearly, monthly) = ("com.example.app.yearly", "com.example.app.monthly")
    #expect(refusal { try journey(.trial, days: 1, yearly, isEligible: false) }?.contains("not eligible") == true)
    #expect(
      refusal { try journey(.owns, days: 0, yearly, running: monthly) }?.contains("has '\(monthly)' of the same")
        == true)
    #expect(refusal { try journey(.owns, days: 0, "com.example.app.lifetime", running: monthly) } == nil)
    #expect(refusal { try journey(.grace, days: 1, monthly) }?.contains("no grace period") == true)
    #expect(refusal { try journey(.grace, days: 20, monthly, grace: GracePeriod(.sixteenDays)) } != nil)
    #expect(refusal { try journey(.grace, days: 2, monthly, grace: GracePeriod(.sixteenDays)) } == nil)
    #expect(refusal { try journey(.retry, days: 2, monthly, grace: GracePeriod(.sixteenDays)) } != nil)
    #expect(refusal { try journey(.retry, days: 61, monthly) } != nil)
    #expect(refusal { try journey(.owns, days: 3_000_000, monthly) }?.contains("beyond the year 9999") == true)
  }

  @Test func whoHadTheTrialPaysFromTheBeginning() throws {
    let lapsed = try journey(.lapsed, days: 1, "com.example.app.yearly", isEligible: false)
    #expect(lapsed.commands.map(\.at) == [Self.now, Self.now])
    #expect(lapsed.end.description == "2027-01-11T00:00:00Z")
  }

  /// Whatever the day of the month, the journey never needs the clock to go back.
  @Test(arguments: 1...31)
  func noCommandIsBeforeNow(day: Int) throws {
    let catalog = try Catalog(data: Data(BuiltInCatalog.text.utf8), file: "built-in")
    let product = try #require(catalog.product("com.example.app.monthly"))
    let now = Ledger.day("2026-01-01").advanced(by: Int64(day - 1) * 86_400_000)
    let journey = try StateJourney(
      .grace, .seconds(86_400), account: "alice", product: product, timeRate: .realTime,
      gracePeriod: GracePeriod(.sixteenDays), from: now)
    #expect(journey.commands.allSatisfy { $0.at >= now && $0.at <= journey.end })
  }
}
