import Foundation
import ServerNode
import Shared
import Wire

/// A page of 20 transactions, of a short and of a long history.
enum PageBench {
  static func run() throws {
    try Bench.inFolder { folder in
      let store = try BenchStore(folder: folder, timeRate: .monthlyRenewalEveryThirtySeconds)
      try store.subscribe(accounts: 1, to: BenchCatalog.monthly)
      var times: [[Double]] = []
      for periods in [100, 100_000] {
        try store.advance(to: BenchStore.start.advanced(by: Int64(periods) * 30_000))
        store.closeJournal()
        times.append(try pages(in: folder))
        try store.openJournal()
      }
      store.stop()
      let names = ["the first", "the newest first", "from the middle", "of one product"]
      let parts = names.indices.map { "\(names[$0]) \(Bench.text(times[0][$0])) and \(Bench.text(times[1][$0])) µs" }
      print("a page of 20, of 100 and of 100000 transactions: \(parts.joined(separator: ", ")) (goal: no growth)")
    }
  }

  private static func pages(in folder: String) throws -> [Double] {
    let journal = try SQLiteJournal(folder: folder)
    defer { journal.close() }
    let account = BenchStore.account(0)
    let last = try journal.records(of: account, matching: RecordQuery(limit: 1, isDescending: true)).cursor ?? 0
    let queries = [
      RecordQuery(limit: 20), RecordQuery(limit: 20, isDescending: true), RecordQuery(after: last / 2, limit: 20),
      RecordQuery(after: last / 2, limit: 20, products: [BenchCatalog.monthly]),
    ]
    return try queries.map { query in
      try Bench.microseconds(2_000) { _ = try journal.records(of: account, matching: query) }
    }
  }
}
