import Fleet
import FleetTesting
import Foundation
import Glibc
import Testing

/// Verbs on a fleet that is up, as people and scripts use them.
@Suite(.timeLimit(.minutes(5)))
struct VerbTests {
  private let tool: Tool

  init() throws { tool = Tool(workplace: try FleetWorkplace()) }

  private let coins = "com.example.app.coins"
  private let season = "com.example.app.season"
  private let lifetime = "com.example.app.lifetime"

  private func up(catalog: String? = nil) async throws -> RunningTool {
    let catalog = catalog.map { ["--catalog", $0] } ?? []
    let up = try tool.start(["up", "-n", "4", "--clock", "manual"] + catalog)
    _ = try await up.lines.first("it is up") { $0.contains("Ctrl-C ends it") }
    return up
  }

  @discardableResult
  private func run(_ words: String...) async throws -> String { try await run(words) }

  @discardableResult
  private func run(_ words: [String]) async throws -> String {
    let outcome = try await tool.run(words)
    #expect(outcome.status.isSuccess, "\(words): \(outcome.errors)")
    return outcome.output
  }

  private func json<Value: Decodable>(_ type: Value.Type, _ words: String...) async throws -> Value {
    let outcome = try await tool.run(words + ["--json"])
    #expect(outcome.status.isSuccess, "\(words): \(outcome.errors)")
    return try JSONDecoder().decode(type, from: Data(outcome.output.utf8))
  }

  private struct Position: Decodable { var sequence: UInt64 }

  private struct Transaction: Decodable {
    struct Revocation: Decodable { var percentage: Int64? }
    struct Request: Decodable { var isAnswered: Bool }
    var transactionId: String
    var revocation: Revocation?
    var refundRequest: Request?
  }

  @Test func refundIsDecidedByWhatTheBackendPrefers() async throws {
    let up = try await up()
    try await run("buy", coins, "--account", "account-1")
    try await run("refund", "request", coins, "--reason", "unintendedPurchase", "--account", "account-1")
    #expect(try await run("transactions", "account-1").contains("refund requested, backend asked until"))
    var found = try await json([Transaction].self, "transactions", "account-1")
    #expect(found.map(\.refundRequest?.isAnswered) == [false])
    _ = try await json(Position.self, "refund", "consumption", coins, "--account", "account-1")
    found = try await json([Transaction].self, "transactions", "account-1")
    #expect(found.map(\.refundRequest?.isAnswered) == [true])
    try await run(
      "refund", "consumption", coins, "--percent", "40", "--prefer", "prorated", "--account", "account-1")
    found = try await json([Transaction].self, "transactions", "account-1")
    #expect(found[0].refundRequest == nil && found[0].revocation?.percentage == 60_000)
    let timeline = try await run("timeline", "account-1")
    #expect(timeline.contains("the customer asks for money back for \(coins) (UNINTENDED_PURCHASE)"))
    #expect(timeline.contains("the backend tells what was used of \(coins), 40 %"))
    #expect(timeline.contains("money back for \(coins) (60 %)"))
    try await end(up)
  }

  private struct Told: Decodable {
    var notificationType: String
    var subtype: String?
    var state: String
    var signedPayload: String?
  }

  @Test func backendHearsWhatIsDoneAndWhatItMissesIsListed() async throws {
    let receiver = try NotificationReceiver(statuses: [200, 500])
    let up = try tool.start("up", "-n", "2", "--clock", "manual", "--notify", receiver.url)
    _ = try await up.lines.first("it is up") { $0.contains("Ctrl-C ends it") }
    #expect(try await run("notifications", "test") == "The test notification was sent: SUCCESS.\n")
    try await run("buy", coins, "--account", "account-1")
    try await run("settle")
    try await run("notifications", "fault", "drop", "--next", "1")
    try await run("buy", season, "--account", "account-1")
    try await run("settle")
    let all = try await json([Told].self, "notifications", "list", "--payloads")
    #expect(all.map(\.notificationType) == ["TEST", "ONE_TIME_CHARGE", "ONE_TIME_CHARGE"])
    #expect(all.map(\.state) == ["delivered", "failed", "failed"])
    #expect(Array(all.compactMap(\.signedPayload).prefix(2)) == receiver.payloads)
    let table = try await run("notifications", "list", "--failed", "--account", "account-1")
    #expect(table.contains("UNSUCCESSFUL_HTTP_RESPONSE_CODE") && table.contains("SOCKET_ISSUE"))
    #expect(!table.contains("TEST"))
    #expect(try await run("notifications", "url") == "Notifications of world 'main' go to \(receiver.url).\n")
    #expect(try await run("notifications", "url", "none") == "Notifications of world 'main' go nowhere.\n")
    let refused = try await tool.run("notifications", "test")
    #expect(!refused.status.isSuccess && refused.errors.contains("has no URL for notifications"))
    try await end(up)
    await receiver.stop()
  }

  private struct OfferKey: Decodable {
    var keyId: String
    var privateKey: String
  }

  private struct Account: Decodable {
    var account: String
    var asksToBuy: Bool
    var devices: [String]
    var entitled: [String]
  }

  @Test func accountsFamiliesAndWorldsCanBeChangedWhileTheyRun() async throws {
    let up = try await up()
    let key = try await json(OfferKey.self, "offer-key")
    #expect(!key.keyId.isEmpty && key.privateKey.hasPrefix("-----BEGIN PRIVATE KEY-----"))
    try await run("account", "open", "kid", "--asks-to-buy")
    let accounts = try await json([Account].self, "accounts")
    #expect(accounts.map(\.account) == ["account-1", "account-2", "kid"], "with a device or without one")
    #expect(accounts.map(\.asksToBuy) == [false, false, true])

    try await run("family", "create", "smith", "account-1", "account-2")
    try await run("buy", lifetime, "--account", "account-1")
    func entitled() async throws -> [String] {
      try await json([Account].self, "accounts", "account-2")[0].entitled
    }
    #expect(try await entitled() == [lifetime])
    try await run("family", "hide-app", "account-1")
    #expect(try await entitled() == [])
    try await run("family", "unhide-app", "account-1")
    #expect(try await entitled() == [lifetime])
    try await run("family", "purchase-sharing", "smith", "off")
    #expect(try await entitled() == [])
    try await run("family", "purchase-sharing", "smith", "on")
    try await run("account", "storefront", "account-2", "DEU")
    #expect(try await entitled() == [])
    _ = try await json(Position.self, "account", "storefront", "account-2", "USA")
    #expect(try await entitled() == [lifetime])

    try await run("token", "set", lifetime, "--user", "ann", "--account", "account-1")
    #expect(try await run("entitlements", UserToken.of("ann").uuidString).contains(lifetime))
    try await run("account", "reset", "account-1")
    #expect(try await entitled() == [])
    try await run("buy", coins, "--account", "account-1")
    #expect(try await run("world", "reset").contains("has forgotten everything"))
    #expect(try await json([Transaction].self, "transactions", "account-1").isEmpty)
    #expect(try await run("settle").isEmpty == false)
    try await end(up)
  }

  private struct Purchase: Decodable {
    struct Outcome: Decodable { var kind: String }
    var outcome: Outcome
  }

  private struct Product: Decodable {
    var id: String
    var isFamilyShareable: Bool
  }

  @Test func codesAreRedeemedAndProductsBecomeShareable() async throws {
    let up = try await up(catalog: Repository.path("Fixtures/Demo.storekit"))
    let words = ["redeem", "com.example.app.yearly", "--offer", "workshop", "--account"]
    #expect(try await run(words + ["account-1"]).hasPrefix("account-1: purchased, transaction "))
    let again = try await tool.run(words + ["account-1"])
    #expect(again.status == .exited(code: 1), "a code is for one redemption")
    let redeemed = try await tool.run(words + ["account-2", "--json"])
    #expect(try JSONDecoder().decode(Purchase.self, from: Data(redeemed.output.utf8)).outcome.kind == "purchased")

    let plan = "com.example.app.basic.monthly"
    func isShareable() async throws -> Bool? {
      try await json([Product].self, "products").first { $0.id == plan }?.isFamilyShareable
    }
    #expect(try await isShareable() == false)
    #expect(try await run("world", "share", plan) == "\(plan): can be shared with families from now on\n")
    #expect(try await isShareable() == true)
    try await end(up)
  }

  private struct Report: Decodable { var device: String }

  private struct AccountLine: Decodable {
    var account: String
    var family: String?
    var entitled: [String]
  }

  @Test func whatTheAppStoreBringsToAnAppsNoticeIsSentByVerbs() async throws {
    let up = try await up()
    #expect(
      try await run("device", "message", "billingIssue", "device-1", "device-2")
        == "device-1: has a message: billingIssue\ndevice-2: has a message: billingIssue\n")
    let tapped = try await json([Report].self, "device", "intent", lifetime, "device-3")
    #expect(tapped.map(\.device) == ["device-3"])
    try await end(up)
  }

  @Test func aPurchaseThatWaitsSaysForWhatAndWhatEndsTheWait() async throws {
    let up = try await up()
    try await run("interrupt", "on", "--account", "account-1")
    for place in [["--on", "device-1"], ["--account", "account-1"]] {
      let said = try await run(["buy", coins, "--quantity", "2"] + place)
      #expect(said.contains("it is interrupted until 'storefleet resolve \(coins) --account account-1'"), "\(said)")
    }
    try await run("account", "open", "kid", "--asks-to-buy")
    #expect(try await run("buy", coins, "--account", "kid").contains("'storefleet approve \(coins) --account kid'"))
    #expect(
      try await run("redeem", "com.example.app.yearly", "--offer", "workshop", "--account", "account-2")
        .contains("purchased"), "the built-in catalogue has a code to try")
    try await end(up)
  }

  @Test func familyIsMadeWholeOrNotAtAllAndEndsWithItsOrganiser() async throws {
    let up = try await up()
    try await run("account", "open", "kid")
    let failed = try await tool.run(["family", "create", "smith", "account-1", "account-2", "nobody"])
    #expect(failed.status == .exited(code: 1) && failed.output.isEmpty)
    #expect(failed.errors.split(separator: "\n").count == 1)
    #expect(try await tool.run(["family", "show", "smith"]).status == .exited(code: 1), "nothing is left of it")
    try await run("family", "create", "smith", "account-1", "account-2")
    try await run("buy", lifetime, "--account", "account-1")
    #expect(try await run("entitlements", "account-2").contains(lifetime))
    // The same again, with one more, changes nothing else.
    try await run("family", "create", "smith", "account-1", "account-2", "kid")
    #expect(try await run("family", "show", "smith") == "account-1 (organiser), account-2, kid\n")
    #expect(
      try await run("family", "leave", "account-1", "kid")
        == "account-1: left smith, which has ended: account-2, kid left with it\nkid: left smith, which has ended\n")
    try await run("settle")
    #expect(try await tool.run(["family", "show", "smith"]).errors.contains("there is no family 'smith'"))
    let lines = try await json([AccountLine].self, "accounts")
    #expect(lines.allSatisfy { $0.family == nil })
    #expect(lines.filter { !$0.entitled.isEmpty }.map(\.account) == ["account-1"], "what it shared has gone")
    try await end(up)
  }

  @Test func endedFleetsAreCountedWhenTheyAreCleanedUp() async throws {
    let up = try await up()
    #expect(try await run("fleets").contains("fleet"))
    up.process.send(SIGKILL)
    _ = try await tool.end(of: up.process, "up")
    let cleaned = try await run("fleets", "--clean")
    #expect(cleaned == "Removed 1 run folder.\nNo fleet is running.\n")
    #expect(try await run("fleets", "--clean") == "No ended fleet has left a run folder.\nNo fleet is running.\n")
  }

  private func end(_ up: RunningTool) async throws {
    up.process.send(SIGINT)
    #expect(try await tool.end(of: up.process, "up").isSuccess)
  }
}
