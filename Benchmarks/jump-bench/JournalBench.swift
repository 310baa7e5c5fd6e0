import Foundation
import ServerNode
import Shared
import Wire

/// The whole path of a clock jump, core, writer and SQLite file, beside a plain loop that inserts the same rows.
enum JournalBench {
  static func run(forUsers: Bool, heard: Bool) throws {
    try Bench.inFolder { folder in
      let store = try BenchStore(folder: folder + "/journal")
      let accounts = 2_000
      try store.subscribe(accounts: accounts, to: BenchCatalog.monthly, forUsers: forUsers)
      if heard { store.listenToEverybody() }
      try store.advance(milliseconds: Bench.monthMilliseconds)
      let plain = try PlainJournal(path: folder + "/plain.sqlite", like: folder + "/journal/journal.sqlite")
      store.recordsGroups = true
      var wholes: [(wall: Double, processor: Double)] = []
      var plains: [(wall: Double, processor: Double)] = []
      for _ in 0..<Bench.rounds {
        store.groups = []
        let whole = try Bench.cost { try store.advance(milliseconds: 4 * Bench.monthMilliseconds) }
        let renewals = Double(store.groups.joined().count { $0.events.contains { $0.name == "renewed" } })
        let rows = plain.prepare(store.groups)
        let bare = try Bench.cost { try plain.insert(rows) }
        wholes.append((whole.seconds / renewals * 1_000_000, whole.processorSeconds / renewals * 1_000_000))
        plains.append((bare.seconds / renewals * 1_000_000, bare.processorSeconds / renewals * 1_000_000))
      }
      store.stop()
      let what = "\(forUsers ? "each account's user is told" : "accounts alone"), \(heard ? "heard" : "nobody listens")"
      report(what, "time", Bench.median(wholes.map(\.wall)), Bench.median(plains.map(\.wall)))
      report(what, "processor time", Bench.median(wholes.map(\.processor)), Bench.median(plains.map(\.processor)))
    }
  }

  private static func report(_ what: String, _ unit: String, _ whole: Double, _ bare: Double) {
    print(
      """
      journal, \(what), \(unit): a renewal \(Bench.text(whole)) µs, the same rows by plain SQLite \
      \(Bench.text(bare)) µs: ratio \(Bench.text(whole / bare)) (goal: at most 2)
      """)
  }
}
