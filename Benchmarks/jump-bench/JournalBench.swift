import Foundation
import ServerNode
import Shared
import Wire

/// The whole path of a clock jump, core, writer and SQLite file, beside a plain loop that inserts the same rows.
enum JournalBench {
  static func run(forUsers: Bool) throws {
    try Bench.inFolder { folder in
      let store = try BenchStore(folder: folder + "/journal")
      let accounts = 2_000
      try store.subscribe(accounts: accounts, to: BenchCatalog.monthly, forUsers: forUsers)
      try store.advance(milliseconds: Bench.monthMilliseconds)
      let plain = try PlainJournal(path: folder + "/plain.sqlite", like: folder + "/journal/journal.sqlite")
      store.recordsGroups = true
      var wholes: [Double] = []
      var plains: [Double] = []
      for _ in 0..<Bench.rounds {
        store.groups = []
        let whole = try Bench.seconds { try store.advance(milliseconds: 4 * Bench.monthMilliseconds) }
        let renewals = Double(store.groups.joined().count { $0.events.contains { $0.name == "renewed" } })
        let rows = plain.prepare(store.groups)
        wholes.append(whole / renewals * 1_000_000)
        plains.append(try Bench.seconds { try plain.insert(rows) } / renewals * 1_000_000)
      }
      store.stop()
      let (whole, bare) = (Bench.median(wholes), Bench.median(plains))
      print(
        """
        journal, \(forUsers ? "each account's user is told" : "accounts alone"): a renewal costs \
        \(Bench.text(whole)) µs, the same rows by plain SQLite \(Bench.text(bare)) µs: \
        ratio \(Bench.text(whole / bare)) (goal: at most 2)
        """)
    }
  }
}
