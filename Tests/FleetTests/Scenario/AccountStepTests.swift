import Foundation
import Shared
import Testing
import Wire

@testable import Fleet

struct AccountStepTests {
  /// What zoe's journal says: a purchase, and that money back is asked for it.
  private static func journal() throws -> [ReadJournal.Entry] {
    let now = Ledger.day("2026-01-01")
    let record = TransactionRecord(
      transactionId: TransactionID(7), originalTransactionId: TransactionID(7), productId: "com.example.app.coins",
      type: .consumable, purchaseDate: now, originalPurchaseDate: now, price: 990, currency: "USD", storefront: "USA",
      appTransactionId: "700")
    let bought = String(decoding: WireJSON.encode(["records": [record]]), as: UTF8.self)
    let asked =
      #"{"detail":{"answerBy":\#(now.milliseconds + 43_200_000),"kind":"refundRequest","requestReason":"LEGAL","#
      + #""requestedAt":\#(now.milliseconds),"transactionId":"7"}}"#
    return [
      ReadJournal.Entry(sequence: 1, name: "purchased", at: now, body: bought),
      ReadJournal.Entry(sequence: 2, name: "refundRequested", at: now, body: asked),
    ]
  }

  private func play(_ steps: String) async throws -> (outcome: ScenarioOutcome, fleet: FakeFleet) {
    var state = FakeFleet.State()
    state.journals["zoe"] = try Self.journal()
    let fleet = FakeFleet(state)
    let scenario = try ScenarioText.read(ScenarioText.story(steps))
    return (await ScenarioRunner(scenario: scenario, driver: fleet).run(), fleet)
  }

  @Test(
    arguments: [
      (
        #"{redeem: "com.example.app.yearly", offer: "Spring", account: "zoe"}"#, "redeemCode w/account/zoe",
        #""referenceName":"Spring""#
      ),
      (
        #"{redeem: "com.example.app.yearly", code: "C1", account: "zoe"}"#, "redeemCode w/account/zoe", #""code":"C1""#
      ),
      (#"{storefront: "DEU", account: "zoe"}"#, "setStorefront w/account/zoe", "DEU"),
      (
        #"{setToken: "user-1", product: "com.example.app.coins", account: "zoe"}"#, "setAppAccountToken w/account/zoe",
        #""originalTransactionId":"7""#
      ),
      (#"{resetAccount: "alice"}"#, "resetAccount w/account/alice", "{}"),
      (#"{resetWorld: true}"#, "resetWorld w/world/w", "{}"),
      (#"{hideApp: "kid"}"#, "setAppHidden w/family/smith", #""hidden":true"#),
      (#"{hideApp: "kid", on: false}"#, "setAppHidden w/family/smith", #""hidden":false"#),
      (#"{purchaseSharing: "smith", on: false}"#, "setPurchaseSharing w/family/smith", #""on":false"#),
      (#"{familyShareable: "com.example.app.season"}"#, "setFamilyShareable w/world/w", "season"),
      (
        #"{requestRefund: "com.example.app.coins", reason: "legal", account: "zoe"}"#, "requestRefund w/account/zoe",
        #""reason":"LEGAL""#
      ),
      (
        #"{consumption: "com.example.app.coins", percent: 40, prefer: "prorated", account: "zoe"}"#,
        "sendConsumptionInformation w/account/zoe", #""consumptionPercentage":40000"#
      ),
    ] as [(String, String, String)])
  func stepAsksTheActorThatItIsAbout(step: String, request: String, part: String) async throws {
    let (outcome, fleet) = try await play(step)
    #expect(outcome.failures.map(\.failure?.message) == [])
    #expect(fleet.acts.last?.hasPrefix(request) == true, "\(fleet.acts.last ?? "")")
    #expect(fleet.acts.last?.contains(part) == true, "\(fleet.acts.last ?? "")")
  }

  @Test func nothingToNameIsAClearFailure() async throws {
    let token = try await play(
      #"{setToken: "user-1", product: "com.example.app.lifetime", account: "zoe"}"#)
    #expect(
      token.outcome.failures.first?.failure?.message == "zoe has bought no lifetime: there is nothing to give a token")
    let told = try await play(#"{consumption: "com.example.app.lifetime", account: "zoe"}"#)
    #expect(
      told.outcome.failures.first?.failure?.message
        == "zoe does not ask for money back for lifetime: nobody wants to know what was used of it")
  }

  @Test(
    arguments: [
      (#"{redeem: "com.example.app.yearly", account: "zoe"}"#, "either 'code'"),
      (#"{storefront: "Deutschland", account: "zoe"}"#, "three capital letters"),
      (#"{hideApp: "zoe"}"#, "'zoe' is in no family at this point"),
      (#"{resetWorld: false}"#, "which does nothing"),
      (#"{resetAccount: "kid"}, {leave: "kid"}"#, "'kid' is in no family at this point"),
      (#"{storefront: "XXX", account: "zoe"}"#, "'XXX' is no storefront"),
      (#"{leave: "alice"}, {leave: "kid"}"#, "'kid' is in no family at this point"),
      (#"{leave: "alice"}, {join: "zoe", family: "smith"}"#, "the family 'smith' has ended at this point"),
      (#"{resetAccount: "alice"}, {leave: "kid"}"#, "'kid' is in no family at this point"),
      (#"{resetWorld: true}, {join: "zoe", family: "smith"}"#, "the family 'smith' has ended at this point"),
      (#"{resetWorld: true}, {leave: "kid"}"#, "'kid' is in no family at this point"),
      (#"{requestRefund: "com.example.app.coins", reason: "mood", account: "zoe"}"#, "expected unintendedPurchase"),
      (#"{consumption: "com.example.app.coins", prefer: "more", account: "zoe"}"#, "expected decline, full, prorated"),
      (#"{purchaseSharing: "smith"}"#, "'on' is missing"),
      (#"{setToken: "user-2", product: "com.example.app.coins", account: "zoe"}"#, "did you mean 'user-1'?"),
    ] as [(String, String)])
  func mistakeIsTold(steps: String, part: String) {
    let mistakes = ScenarioText.mistakes(ScenarioText.story(steps))
    #expect(mistakes.contains { $0.contains(part) }, "\(mistakes)")
  }

  @Test func worldHasAPolicyForClaimsAndADelayForGrants() async throws {
    let text = ScenarioText.story("").replacing(
      #"world: {name: "w","#, with: #"world: {name: "w", claimPolicy: "share", familyGrantDelay: "1h","#)
    let fleet = FakeFleet()
    _ = await ScenarioRunner(scenario: try ScenarioText.read(text), driver: fleet).run()
    let create = try #require(fleet.acts.first)
    #expect(create.contains(#""claimPolicy":"share""#) && create.contains(#""familyGrantDelay":3600000"#))
    for (wrong, part) in [(#"claimPolicy: "mine""#, "expected keep"), (#"familyGrantDelay: "8d""#, "7d at most")] {
      let mistakes = ScenarioText.mistakes(
        ScenarioText.story("").replacing(#"world: {name: "w","#, with: #"world: {name: "w", \#(wrong),"#))
      #expect(mistakes.contains { $0.contains(part) }, "\(mistakes)")
    }
  }

  // MARK: What cannot be known

  @Test func runInWhichNoDeviceCouldBeAskedDoesNotPass() async throws {
    let fleet = FakeFleet(after: ["advanceClock": { $0.errors["inspect"] = WireError(.unknownAddress, "gone") }])
    let scenario = try ScenarioText.read(ScenarioText.story(#"{advance: "1d"}"#))
    let outcome = await ScenarioRunner(scenario: scenario, driver: fleet, clock: ImpatientClock()).run()
    #expect(outcome.failures.isEmpty)
    #expect(!outcome.passed)
    #expect(outcome.checkFailure?.hasPrefix("no device could be asked in the end") == true)
  }

  @Test func expectationOfADeadFleetFailsAtOnceWithTheReason() async throws {
    let fleet = FakeFleet(after: ["advanceClock": { $0.isDead = true }])
    let step = #"{advance: "1d"}, {expect: {device: "alice-phone", access: "locked"}, within: "1h"}"#
    let outcome = await ScenarioRunner(
      scenario: try ScenarioText.read(ScenarioText.story(step)), driver: fleet
    ).run()
    #expect(outcome.failures.first?.failure?.seen == ["the server does not run"])
  }

  // MARK: History

  @Test func journalTellsWhatWaitsAndWhatTheBackendMaySay() throws {
    let entries = try Self.journal()
    let history = AccountHistory(entries)
    #expect(history.openRefund(of: "com.example.app.coins") == TransactionID(7))
    #expect(history.refundRequests[TransactionID(7)]?.answerBy == Ledger.day("2026-01-01").advanced(by: 43_200_000))
    let told = ReadJournal.Entry(
      sequence: 3, name: "consumptionInformationSent", at: Ledger.day("2026-01-01"),
      body: #"{"detail":{"information":{"consumptionPercentage":40000,"customerConsented":true,"#
        + #""deliveryStatus":"DELIVERED","kind":"v2","refundPreference":"DECLINE","sampleContentProvided":false},"#
        + #""kind":"consumption","transactionId":"7"}}"#)
    #expect(AccountHistory(entries + [told]).refundRequests[TransactionID(7)]?.isAnswered == true)
    let declined = ReadJournal.Entry(
      sequence: 4, name: "refundDeclined", at: Ledger.day("2026-01-01"),
      body: #"{"detail":{"kind":"refund","transactionId":"7"}}"#)
    #expect(AccountHistory(entries + [told, declined]).refundRequests.isEmpty)
    #expect(
      AccountTimeline(entries + [told, declined]).lines.dropFirst().map(\.text) == [
        "the customer asks for money back for com.example.app.coins (LEGAL); the backend may tell until "
          + "2026-01-01T12:00:00Z what was used",
        "the backend tells what was used of com.example.app.coins, 40 %, and prefers no refund",
        "no money back for com.example.app.coins",
      ])
  }
}
