import Shared
import Testing
import Wire

@testable import Fleet

struct AgreementTests {
  private let scenario: Scenario
  private let truth = JournalTruth(
    entries: [
      Ledger.entry(
        1, "purchased",
        records: [
          Ledger.record(1, "com.example.app.lifetime"), Ledger.record(2, "com.example.app.coins", .consumable),
        ]
      ),
      Ledger.entry(2, "finished", finished: [1]),
    ], now: Ledger.day("2026-02-01"))

  init() throws {
    scenario = try ScenarioText.read(ScenarioText.story(""))
  }

  private func report(
    _ device: String, entitled: [String]?, unfinished: [UInt64] = [2], online: Bool = true, runs: Bool = true
  ) -> DeviceReport {
    DeviceReport(
      device: device, account: "alice", incarnation: runs ? 1 : nil, online: online, epoch: 1, sequence: 2,
      unfinished: unfinished.map { TransactionID($0) }, updates: [],
      screen: entitled.map { AppScreen(access: .unlocked, entitled: $0) })
  }

  private func summary(_ reports: [DeviceReport], lost: [String] = []) -> String {
    let agreement = Agreement(
      devices: (reports.map(\.device) + lost).map { ($0, "alice") },
      reports: Dictionary(uniqueKeysWithValues: reports.map { ($0.device, $0) }), truths: ["alice": truth])
    return AgreementText(scenario: scenario).summary(agreement)
  }

  @Test func devicesThatBelieveTheTruthAgree() {
    let life = ["com.example.app.lifetime"]
    #expect(
      summary([report("a", entitled: life), report("b", entitled: life)]) == "All 2 devices agree with the ledger.")
  }

  @Test func theDeviceThatIsWrongIsNamedWithWhatItLacksAndInvents() {
    #expect(
      summary([
        report("a", entitled: ["com.example.app.lifetime"]),
        report("b", entitled: ["com.example.app.season"], unfinished: [5]),
      ])
        == "1 of 2 devices disagrees with the ledger: b (lacks lifetime; believes season; does not hold "
        + "unfinished #2; still holds unfinished #5).")
  }

  @Test func aDeviceThatLostAnUnfinishedTransactionDisagrees() {
    #expect(
      summary([report("a", entitled: ["com.example.app.lifetime"], unfinished: [])])
        == "1 of 1 device disagrees with the ledger: a (does not hold unfinished #2).")
  }

  @Test func aRunningAppThatShowsNothingDisagrees() {
    #expect(
      summary([report("a", entitled: nil)])
        == "1 of 1 device disagrees with the ledger: a (shows nothing yet; lacks lifetime).")
  }

  @Test func whatCannotBeCheckedIsSaidWithItsReason() {
    let life = ["com.example.app.lifetime"]
    #expect(
      summary(
        [
          report("a", entitled: life), report("b", entitled: life), report("c", entitled: [], online: false),
          report("d", entitled: nil, runs: false),
        ], lost: ["e"])
        == "All 2 checked devices agree with the ledger. Not checked: c (offline), d (the app does not run), "
        + "e (it could not be asked).")
  }
}
