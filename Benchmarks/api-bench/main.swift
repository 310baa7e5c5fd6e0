import Foundation
import HTTPServer
import Shared

// The App Store Server API over real sockets, beside what limits it, in one run: signed look-ups beside a constant body
// of the same size from the same HTTP library, answers that are not signed yet beside OpenSSL's rate of signatures, and
// pages of a long history beside pages of a short one.
//
// Usage: api-bench [--connections N] [--seconds S] [--rounds N] [--ids N] [--threads N]

/// A value on the command line, after its name.
func option(_ name: String, _ standard: Double) -> Double {
  guard let index = CommandLine.arguments.firstIndex(of: name) else { return standard }
  guard let value = CommandLine.arguments.dropFirst(index + 1).first.flatMap(Double.init), value > 0 else {
    fatalError("\(name) needs a number above 0")
  }
  return value
}

let connections = Int(option("--connections", 100))
let seconds = option("--seconds", 1)
let rounds = Int(option("--rounds", 5))
let idCount = Int(option("--ids", 10_000))
let threads = Int(option("--threads", 1))

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// Runs on a thread that may block.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}

// A signed look-up has about this many bytes.
let store = try await BenchStore(threads: threads, constantBody: Data(repeating: UInt8(ascii: "x"), count: 4_300))
var ids: [TransactionID] = []
for account in 0..<100 { ids += try await store.account("account-\(account)", transactions: idCount / 100) }
let shuffled = ids.shuffled()
let tokens = try store.tokens(20_000)
let (port, constantPort) = (store.http.port, store.constant.port)

func lookUps(_ ids: [TransactionID]) -> LoadGenerator {
  LoadGenerator(
    port: port, connections: connections,
    path: { "/main/sandbox/inApps/v1/transactions/\(ids[$0 % ids.count])" }, tokens: tokens)
}

let openSSL = await blocking { SigningRate.measure(seconds: seconds) }
let cold = await blocking { lookUps(shuffled).run(seconds: 120, most: shuffled.count) }
print(
  "\(connections) connections, \(threads) server threads, \(ids.count) transactions, median of \(rounds) x \(seconds) s"
)
print(
  String(
    format: "not signed yet   %8.0f /s   OpenSSL alone %.0f signatures/s: %.2f of it", cold.rate, openSSL,
    cold.rate / openSSL))

typealias Figures = (rate: Double, p50: Double, p99: Double)
func figures(_ result: LoadGenerator.Result) -> Figures {
  (result.rate, result.milliseconds(percentile: 0.5), result.milliseconds(percentile: 0.99))
}
let (constant, signed) = await blocking { () -> ([Figures], [Figures]) in
  var (constant, signed): ([Figures], [Figures]) = ([], [])
  let plain = LoadGenerator(
    port: constantPort, connections: connections,
    path: { "/main/sandbox/inApps/v1/transactions/\(shuffled[$0 % shuffled.count])" }, tokens: tokens)
  _ = plain.run(seconds: min(seconds, 0.3))
  _ = lookUps(shuffled).run(seconds: min(seconds, 0.3))
  for _ in 0..<rounds {
    constant.append(figures(plain.run(seconds: seconds)))
    signed.append(figures(lookUps(shuffled).run(seconds: seconds)))
  }
  return (constant, signed)
}
for (name, own) in [("constant body", constant), ("signed look-up", signed)] {
  print(
    String(
      format: "%@ %8.0f /s   p50 %.2f ms   p99 %.2f ms", name.padding(toLength: 16, withPad: " ", startingAt: 0),
      median(own.map(\.rate)), median(own.map(\.p50)), median(own.map(\.p99))))
}
print(
  String(
    format: "of the constant body: rate %.2f (at least 0.50), p99 %.2f (at most 2.00)",
    median(zip(signed, constant).map { $0.rate / $1.rate }), median(zip(signed, constant).map { $0.p99 / $1.p99 })))

let short = try await store.account("short", transactions: 100)
let long = try await store.account("long", transactions: 10_000)
let pages = await blocking { () -> (short: [Double], long: [Double]) in
  func page(_ id: TransactionID) -> LoadGenerator {
    // The last page of a short history is not full: both are asked for their first.
    LoadGenerator(
      port: port, connections: 1, path: { _ in "/main/sandbox/inApps/v2/history/\(id)" }, tokens: tokens)
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
