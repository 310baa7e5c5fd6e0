import Fleet
import FleetTesting
import Foundation
import Glibc
import Testing

/// What verbs say when they are refused: one sentence, on standard error, that names what, where and what to do, and exit
/// code 1.
@Suite(.timeLimit(.minutes(5)))
struct RefusalTests {
  private let tool: Tool

  init() throws { tool = Tool(workplace: try FleetWorkplace()) }

  private static let coins = "com.example.app.coins"
  private static let lifetime = "com.example.app.lifetime"
  private static let monthly = "com.example.app.monthly"

  /// The words, and what the sentence must say.
  private static let refusals: [([String], [String])] = [
    // An account that is not there.
    (["buy", coins, "--account", "nobody"], ["there is no account 'nobody' in world 'main'", "open it first"]),
    (["refund", coins, "--account", "nobody"], ["there is no account 'nobody' in world 'main'"]),
    (["redeem", monthly, "--code", "C", "--account", "nobody"], ["there is no account 'nobody'"]),
    (["account", "storefront", "nobody", "DEU"], ["there is no account 'nobody'"]),
    (["account", "reset", "nobody"], ["nobody: there is no account 'nobody'"]),
    (["family", "join", "smith", "nobody"], ["nobody: there is no account 'nobody'"]),
    (["transactions", "nobody"], ["there is no account 'nobody'"]),
    (["timeline", "nobody"], ["there is no account 'nobody'"]),
    (["entitlements", "nobody"], ["there is no account 'nobody'"]),
    (["accounts", "nobody"], ["there is no account 'nobody'"]),
    // A product.
    (["buy", "com.example.app.typo", "--account", "account-1"], ["'com.example.app.typo'", "catalogue"]),
    (["refund", "com.example.app.typo", "--account", "account-1"], ["no transaction of 'com.example.app.typo'"]),
    (["cancel", coins, "--account", "account-1"], ["'\(coins)'", "subscription"]),
    (["change-plan", coins, "--account", "account-1"], ["sells no subscription '\(coins)'", "'storefleet products'"]),
    (["bill", "fail", coins, "--account", "account-1"], ["'\(coins)' is no auto-renewable subscription"]),
    (["redeem", coins, "--code", "C", "--account", "account-1"], ["'\(coins)'"]),
    (["redeem", monthly, "--code", "C", "--account", "account-1"], ["'C'"]),
    (["world", "share", coins], ["'\(coins)' cannot be shared with families", "non-consumables"]),
    (["world", "share", lifetime], ["'\(lifetime)' is shared with families already"]),
    (["world", "share", "com.example.app.typo"], ["has no product 'com.example.app.typo'"]),
    (["token", "set", coins, "--user", "ann", "--account", "account-2"], ["has bought no '\(coins)'"]),
    (["state", "account-1", "owns", "com.example.app.typo"], ["does not sell 'com.example.app.typo'"]),
    // A device.
    (["buy", coins, "--on", "nothing"], ["no client node has a device 'nothing' in world 'main'"]),
    (["device", "kill", "nothing"], ["nothing: no client node has a device 'nothing'"]),
    (["device", "inspect", "nothing"], ["no client node has a device 'nothing'"]),
    (["timeline", "account-1", "--device", "device-3"], ["device-3 is a device of account-2, not of account-1"]),
    // A transaction.
    (["refund", "--transaction", "99", "--account", "account-1"], ["the account has no transaction 99"]),
    (
      ["refund", "consumption", "--transaction", "99", "--account", "account-1"],
      ["the account has no transaction 99"]
    ),
    (
      ["token", "set", "--transaction", "99", "--user", "ann", "--account", "account-1"],
      ["transaction 99 is not one of this account"]
    ),
    // A state in which it cannot be.
    (["approve", "--account", "account-1"], ["no such purchase waits for approval"]),
    (["resume", "--account", "account-2"], ["account-2 has no subscription that runs"]),
    (["extend", monthly, "--days", "7", "--account", "account-2"], ["the account has no subscription of group"]),
    (["price-increase", "agree", "--account", "account-1"], ["no such price increase waits for an answer"]),
    (
      ["price-increase", "request", monthly, "--price", "6.99", "--account", "account-2"],
      ["no subscription of its own that renews as '\(monthly)'"]
    ),
    (["refund", "reverse", coins, "--account", "account-1"], ["nothing of '\(coins)' that this names was refunded"]),
    (["refund", "consumption", coins, "--account", "account-1"], ["does not ask for money back for '\(coins)'"]),
    (["family", "leave", "account-1"], ["account-1: account-1 is in no family"]),
    (["family", "unshare", lifetime, "--account", "account-1"], ["account-1 is in no family"]),
    (["family", "hide-app", "account-1"], ["account-1 is in no family"]),
    (["family", "show", "jones"], ["there is no family 'jones': create it first"]),
    (["family", "purchase-sharing", "jones", "off"], ["there is no family 'jones': create it first"]),
    (["family", "create", "smith", "account-1"], ["family 'smith' exists already, with organiser 'account-2'"]),
    (["account", "open", "account-1", "--asks-to-buy"], ["account 'account-1' exists already, with other settings"]),
    (["world", "create", "--bundle-id", "com.example.other"], ["world 'main' exists already, with other settings"]),
    (["clock", "to", "2001-01-01"], ["the clock stands at", "cannot go back to 2001-01-01"]),
    // A value.
    (["account", "storefront", "account-1", "Germany"], ["'Germany' is no storefront", "USA or DEU"]),
    (
      ["price-increase", "request", monthly, "--price", "0.01", "--account", "account-1"],
      ["costs", "expected a higher price than that"]
    ),
    (["account", "open", "no name"], ["'no name'", "expected 1 to 128"]),
  ]

  @Test func everyRefusalIsOneSentenceAndExitCode1() async throws {
    let up = try tool.start("up", "-n", "4", "--clock", "manual", "--family-grant-delay", "1h")
    _ = try await up.lines.first("it is up") { $0.contains("Ctrl-C ends it") }
    for words in [
      ["buy", Self.coins, "--account", "account-1"], ["buy", Self.monthly, "--account", "account-1"],
      ["family", "create", "smith", "account-2"],
    ] {
      let outcome = try await tool.run(words)
      #expect(outcome.status.isSuccess, "\(words): \(outcome.errors)")
    }
    for (words, parts) in Self.refusals {
      let outcome = try await tool.run(words)
      #expect(outcome.status == .exited(code: 1), "\(words): \(outcome.output)\(outcome.errors)")
      #expect(outcome.output.isEmpty, "\(words): \(outcome.output)")
      #expect(outcome.errors.hasSuffix("\n") && outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
      for part in parts { #expect(outcome.errors.contains(part), "\(words): \(outcome.errors)") }
    }
    up.process.send(SIGINT)
    #expect(try await tool.end(of: up.process, "up").isSuccess)
  }
}
