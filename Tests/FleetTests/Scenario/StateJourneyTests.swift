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

  /// Whatever the day of the month, the journey never needs the clock to go back.
  @Test(arguments: 1...31)
  func noCommandIsBeforeNow(day: Int) throws {
    let catalog = try Catalog(data: Data(BuiltInCatalog.text.utf8), file: "built-in")
    let product = try #require(catalog.product("com.example.app.monthly"))
    let now = Ledger.day("2026-01-01").advanced(by: Int64(day - 1) * 86_400_000)
    let journey = try StateJourney(
      .grace, .seconds(86_400), account: "alice", product: product, timeRate: .realTime, from: now)
    #expect(journey.commands.allSatisfy { $0.at >= now && $0.at <= journey.end })
  }
}
