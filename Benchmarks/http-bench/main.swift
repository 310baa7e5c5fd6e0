import Foundation
import HTTPClient
import HTTPLoad
import HTTPServer

// How much of bare libmicrohttpd's rate the server keeps: the same requests and the same body, taken in turns in one
// run, so that a busy machine is busy for both. Then, how many notifications the client can post to such a server.
//
// Usage: http-bench [--bytes N] [--connections N] [--seconds S] [--rounds N] [--threads N]

/// Stands for a node: what a handler awaits when it asks an actor.
actor Store {
  private let body: Data
  init(body: Data) { self.body = body }
  func transaction(_ id: String) -> Data { body }
}

let bytes = Int(option("--bytes", 2000))
let connections = Int(option("--connections", 100))
let seconds = option("--seconds", 1)
let rounds = Int(option("--rounds", 7))
let threads = Int(option("--threads", 1))
let body = Data(repeating: UInt8(ascii: "x"), count: bytes)
let store = Store(body: body)

var router = HTTPRouter()
router.on(.get, "/inApps/v1/transactions/{transactionId}") { request in
  .json(body, status: request.parameters["transactionId"] == nil ? .notFound : .ok)
}
router.on(.get, "/actor/v1/transactions/{transactionId}") { request in
  .json(await store.transaction(request.parameters["transactionId"] ?? ""))
}
router.on(.post, "/notifications") { _ in HTTPResponse() }
let routes = router
let server = try HTTPServer(HTTPServerConfiguration(threads: threads)) { try await routes.respond(to: $0) }
let bare = BareServer(body: body, threads: threads)

func load(_ port: Int, _ path: String) -> LoadGenerator {
  LoadGenerator(port: port, connections: connections, path: path, token: "eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl")
}
let contenders: [(name: String, load: LoadGenerator)] = [
  ("bare libmicrohttpd", load(bare.port, "/")),
  ("router, handler", load(server.port, "/inApps/v1/transactions/2000000000000001")),
  ("router, handler, actor", load(server.port, "/actor/v1/transactions/2000000000000001")),
]

func column(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(width - text.count, 0)) + text
}

func run() {
  var results = contenders.map { _ in [LoadGenerator.Result]() }
  for contender in contenders { _ = contender.load.run(seconds: min(seconds, 0.3)) }
  for _ in 0..<rounds {
    for (index, contender) in contenders.enumerated() { results[index].append(contender.load.run(seconds: seconds)) }
  }
  print("\(connections) connections, \(bytes) bytes, \(threads) server threads, median of \(rounds) x \(seconds) s")
  let titles = ["requests/s", "of bare", "p50 ms", "p99 ms", "server us/request", "of bare"]
  print("".padding(toLength: 24, withPad: " ", startingAt: 0) + titles.map { column($0, 19) }.joined())
  for (contender, own) in zip(contenders, results) {
    let values = [
      String(format: "%.0f", median(own.map(\.rate))),
      String(format: "%.2f", median(zip(own, results[0]).map { $0.rate / $1.rate })),
      String(format: "%.2f", median(own.map { $0.milliseconds(percentile: 0.5) })),
      String(format: "%.2f", median(own.map { $0.milliseconds(percentile: 0.99) })),
      String(format: "%.2f", median(own.map(\.serverMicroseconds))),
      String(format: "%.2f", median(zip(own, results[0]).map { $0.serverMicroseconds / $1.serverMicroseconds })),
    ]
    print(contender.name.padding(toLength: 24, withPad: " ", startingAt: 0) + values.map { column($0, 19) }.joined())
  }
}

// The generator has a thread of its own, as it blocks.
await withCheckedContinuation { continuation in
  Thread.detachNewThread {
    run()
    continuation.resume()
  }
}
let posts = 20_000
let client = HTTPClient()
let notification = Data(repeating: UInt8(ascii: "n"), count: 3000)
let url = "http://127.0.0.1:\(server.port)/notifications"
let began = ContinuousClock.now
try await withThrowingTaskGroup { group in
  // As many tasks as a sender would have: a queue of everything that is due would measure the queue.
  for _ in 0..<100 {
    group.addTask {
      for _ in 0..<(posts / 100) {
        guard try await client.post(notification, to: url).status == 200 else { fatalError("A post was refused") }
      }
    }
  }
  try await group.waitForAll()
}
let elapsed = (ContinuousClock.now - began) / .seconds(1)
print(String(format: "\nclient: %d posts of %d bytes, %.0f/s", posts, notification.count, Double(posts) / elapsed))
await server.stop(within: .seconds(1))
