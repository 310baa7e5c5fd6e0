import Foundation
import ServerNode
import Shared
import Wire

/// A page of 20 transactions, of a short and of a long history, in turns: what else the machine does meets both.
enum PageBench {
  private static let names = ["the first", "the newest first", "from the middle", "of one product"]
  private static let (short, long) = (100, 100_000)
  private static let rounds = 401
  private static let pagesPerRound = 10

  static func run() throws {
    try Bench.inFolder { folder in
      let journals = try [short, long].map { count in
        let path = folder + "/\(count)"
        try fill(path, transactions: count)
        return try SQLiteJournal(folder: path)
      }
      defer { journals.forEach { $0.close() } }
      let queries = try journals.map { try self.queries(in: $0) }
      let parts = try names.indices.map { name in
        var times: [[Double]] = [[], []]
        for round in 0..<rounds {
          // Who comes first changes too.
          for index in round % 2 == 0 ? [0, 1] : [1, 0] {
            times[index].append(
              try Bench.microseconds(pagesPerRound) {
                _ = try journals[index].records(of: BenchStore.account(0), matching: queries[index][name])
              })
          }
        }
        let (few, many) = (Bench.median(times[0]), Bench.median(times[1]))
        return "\(names[name]) \(Bench.text(few)) and \(Bench.text(many)) µs, ratio \(Bench.text(many / few))"
      }
      print(
        "a page of 20, of \(short) and of \(long) transactions: \(parts.joined(separator: "; ")) (goal: at most 1.2)")
    }
  }

  private static func fill(_ folder: String, transactions: Int) throws {
    let store = try BenchStore(folder: folder, timeRate: .monthlyRenewalEveryThirtySeconds)
    try store.subscribe(accounts: 1, to: BenchCatalog.monthly)
    try store.advance(to: BenchStore.start.advanced(by: Int64(transactions) * 30_000))
    store.stop()
  }

  private static func queries(in journal: SQLiteJournal) throws -> [RecordQuery] {
    let newest = RecordQuery(limit: 1, isDescending: true)
    let last = try journal.records(of: BenchStore.account(0), matching: newest).cursor ?? 0
    return [
      RecordQuery(limit: 20), RecordQuery(limit: 20, isDescending: true), RecordQuery(after: last / 2, limit: 20),
      RecordQuery(after: last / 2, limit: 20, products: [BenchCatalog.monthly]),
    ]
  }
}
