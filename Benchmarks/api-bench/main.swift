import Foundation
import HTTPLoad
import HTTPServer
import Shared
import Synchronization

// The App Store Server API over real sockets, beside what limits it, in one run: signed look-ups beside a constant body
// of the same size from bare libmicrohttpd, answers that are not signed yet beside OpenSSL's rate of signatures, and
// pages of a long history beside pages of a short one.
//
// Usage: api-bench [--connections N] [--seconds S] [--rounds N] [--ids N] [--threads N]

let connections = Int(option("--connections", 100))
let seconds = option("--seconds", 1)
let rounds = Int(option("--rounds", 5))
let idCount = Int(option("--ids", 10_000))
let threads = Int(option("--threads", 1))

/// Runs on a thread that may block.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}

/// How many requests share a token.
let requestsPerToken = 100

let store = try await BenchStore(threads: threads)
var bought: [TransactionID] = []
for account in 0..<100 { bought += try await store.account("account-\(account)", transactions: idCount / 100) }
let ids = bought.shuffled()
let tokens = try store.tokens(20_000)
let port = store.http.port

/// Asks for one transaction after another, with another token from time to time.
func lookUps(at port: Int) -> LoadGenerator {
  LoadGenerator(port: port, connections: connections) {
    LoadGenerator.request(
      "/main/sandbox/inApps/v1/transactions/\(ids[$0 % ids.count])",
      token: tokens[$0 / requestsPerToken % tokens.count])
  }
}

/// Connections that the server has closed in a run.
let closed = Mutex(0)
let openSSL = await blocking { SigningRate.measure(seconds: seconds) }
let cold = await blocking { lookUps(at: port).run(seconds: 120, most: ids.count) }
print(
  "\(connections) connections, \(threads) server threads, \(ids.count) transactions, median of \(rounds) x \(seconds) s"
)
print(
  String(
    format: "not signed yet   %8.0f /s   OpenSSL alone %.0f signatures/s: %.2f of it", cold.rate, openSSL,
    cold.rate / openSSL))

struct Figures {
  let rate, p50, p99, microseconds: Double

  init(_ result: LoadGenerator.Result) {
    rate = result.rate
    p50 = result.milliseconds(percentile: 0.5)
    p99 = result.milliseconds(percentile: 0.99)
    microseconds = result.serverMicroseconds
  }
}
let bare = BareServer(body: try await store.body(of: ids[0]), threads: threads)
let barePort = bare.port
let (constant, signed) = await blocking { () -> ([Figures], [Figures]) in
  var (constant, signed): ([Figures], [Figures]) = ([], [])
  for round in 0...rounds {
    let (one, other) = (lookUps(at: barePort).run(seconds: seconds), lookUps(at: port).run(seconds: seconds))
    closed.withLock { $0 += other.closed }
    // The first round warms up.
    guard round > 0 else { continue }
    constant.append(Figures(one))
    signed.append(Figures(other))
  }
  return (constant, signed)
}
for (name, own) in [("constant body", constant), ("signed look-up", signed)] {
  print(
    String(
      format: "%@ %8.0f /s   p50 %.2f ms   p99 %.2f ms   processor time %.1f us",
      name.padding(toLength: 16, withPad: " ", startingAt: 0), median(own.map(\.rate)), median(own.map(\.p50)),
      median(own.map(\.p99)), median(own.map(\.microseconds))))
}
print(
  String(
    format: "of the constant body: rate %.2f (at least 0.50), p99 %.2f (at most 2.00), processor time %.2f",
    median(zip(signed, constant).map { $0.rate / $1.rate }), median(zip(signed, constant).map { $0.p99 / $1.p99 }),
    median(zip(signed, constant).map { $0.microseconds / $1.microseconds })))

print("connections that the server has closed: \(closed.withLock { $0 })")

let short = try await store.account("short", transactions: 100)
let long = try await store.account("long", transactions: 10_000)
let pages = await blocking { () -> (short: [Double], long: [Double]) in
  func page(_ id: TransactionID) -> LoadGenerator {
    // The last page of a short history is not full: both are asked for their first.
    LoadGenerator(port: port, connections: 1, path: "/main/sandbox/inApps/v2/history/\(id)", token: tokens[0])
  }
  var result: (short: [Double], long: [Double]) = ([], [])
  for round in 0...rounds {
    let (a, b) = (page(short[0]).run(seconds: seconds / 2), page(long[0]).run(seconds: seconds / 2))
    guard round > 0 else { continue }
    result.short.append(1e3 / a.rate)
    result.long.append(1e3 / b.rate)
  }
  return result
}
print(
  String(
    format: "a page of history: of 100 transactions %.2f ms, of 10,000 %.2f ms: %.2f times (at most 1.20)",
    median(pages.short), median(pages.long), median(zip(pages.long, pages.short).map { $0 / $1 })))
await store.stop()
