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
  private static let yearly = "com.example.app.yearly"

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
    (
      ["refund", "reverse", coins, "--account", "account-1"],
      ["of '\(coins)' was not refunded", "nothing to take back"]
    ),
    (["refund", "consumption", coins, "--account", "account-1"], ["does not ask for money back for '\(coins)'"]),
    (["family", "leave", "account-1"], ["account-1: account-1 is in no family"]),
    (["family", "unshare", lifetime, "--account", "account-1"], ["account-1 is in no family"]),
    (["family", "hide-app", "account-1"], ["account-1 is in no family"]),
    (["family", "show", "jones"], ["there is no family 'jones': create it first"]),
    (["family", "purchase-sharing", "jones", "off"], ["there is no family 'jones': create it first"]),
    (["family", "create", "smith", "account-1"], ["family 'smith' exists already, with organiser 'account-2'"]),
    (["account", "open", "account-1", "--asks-to-buy"], ["account 'account-1' exists already, with other settings"]),
    (["world", "create", "--bundle-id", "com.example.other"], ["world 'main' exists already, with other settings"]),
    (["clock", "advance", "9223372036854775807ms"], ["the clock cannot go beyond the year 9999"]),
    (["clock", "to", "2001-01-01"], ["the clock stands at", "cannot go back to 2001-01-01"]),
    // A value.
    (["account", "storefront", "account-1", "Germany"], ["'Germany' is no storefront", "USA or DEU"]),
    (
      ["price-increase", "request", monthly, "--price", "0.01", "--account", "account-1"],
      ["costs", "expected a higher price than that"]
    ),
    (["account", "storefront", "account-1", "XXX"], ["'XXX' is no storefront", "in which the App Store sells"]),
    (["account", "storefront", "account-1", "deu"], ["did you mean 'DEU'?"]),
    (["device", "intent", "com.example.app.typo", "device-1"], ["does not sell 'com.example.app.typo'"]),
    (["device", "intent", monthly, "device-1", "--win-back", "spring"], ["has no win-back offer 'spring'"]),
    (["family", "create", "miller", "account-1", "nobody"], ["no account 'nobody'", "'miller' is not made"]),
    (["family", "create", "miller", "account-1", "account-2"], ["'account-2' is in family 'smith' already"]),
    (["family", "show", "miller"], ["there is no family 'miller'"]),
    (["buy", monthly, "--quantity", "2", "--account", "account-1"], ["it is bought one at a time"]),
    (["state", "account-1", "trial", yearly, "--left", "1d"], ["has '\(monthly)' of the same subscription group"]),
    (["state", "account-2", "grace", monthly, "--for", "1d"], ["the world has no grace period"]),
    (["state", "account-2", "owns", coins, "--ago", "3000000d"], ["beyond the year 9999"]),
    (["clock", "show", "--world", "nope"], ["there is no world 'nope'"]),
  ]

  /// Slips on the command line itself: exit code 2, and where the help is.
  private static let slips: [([String], [String])] = [
    (["account", "open", "no name"], ["'no name'", "expected 1 to 128"]),
    (["account", "open", "account-1", "zoë"], ["'zoë' cannot name an account"]),
    (["buy", coins, "--on", ""], ["option '--on' is empty"]),
    (["buy", coins, "--on", "zoë"], ["'zoë' cannot name a device"]),
    (["device", "kill", "device-1", "zoë"], ["'zoë' cannot name"]),
    (["devices", "--fleet", ""], ["option '--fleet' is empty"]),
    (["devices", "--fleet", "bü"], ["'bü' cannot name a fleet"]),
    (["devices", "--connect", "junk"], ["'--connect' is 'junk'", "an endpoint such as tcp://127.0.0.1:5555"]),
    (["client", "--connect", "junk", "--device", "a=b"], ["'--connect' is 'junk'"]),
    (["client", "--connect", "tcp://127.0.0.1:5", "--device", "zoë=b"], ["'zoë' cannot name a device"]),
    (["devices", "--world", "a b"], ["'a b' cannot name a world"]),
    (["family", "create", "", "account-1"], ["FAMILY is empty"]),
    (["family", "create", "miller", "account-1", "account-1"], ["'account-1' is named twice", "a member already"]),
    (
      ["family", "create", "miller", "a", "b", "c", "d", "e", "f", "g"], ["7 accounts are named", "6 members at most"]
    ),
    (["token", "set", coins, "--user", "", "--account", "account-1"], ["option '--user' is empty"]),
    (
      ["token", "set", coins, "--user", "12345678-1234-1234-1234-12345678901", "--account", "account-1"],
      ["is no UUID, though it looks like one"]
    ),
    (["up", "--name", "bü"], ["'bü' cannot name a fleet"]),
    (["up", "--world", "a b"], ["'a b' cannot name a world"]),
    (["clock", "advance", "-5d"], ["'-5d' is negative: time only goes forward"]),
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
    for (words, parts) in Self.slips {
      let outcome = try await tool.run(words)
      #expect(outcome.status == .exited(code: 2), "\(words): \(outcome.output)\(outcome.errors)")
      #expect(outcome.output.isEmpty, "\(words): \(outcome.output)")
      let lines = outcome.errors.split(separator: "\n")
      #expect(lines.count == 2 && lines[1].hasPrefix("see 'storefleet "), "\(words): \(outcome.errors)")
      for part in parts { #expect(outcome.errors.contains(part), "\(words): \(outcome.errors)") }
    }
    // Nothing of all this moved the clock or left anything behind.
    #expect(try await tool.run(["accounts"]).output.contains("miller") == false)
    #expect(try await tool.run(["clock", "next", "--world", "main"]).status == .exited(code: 0), "a renewal is due")
    up.process.send(SIGINT)
    #expect(try await tool.end(of: up.process, "up").isSuccess)
  }
}
