import Foundation
import ServerNode
import Shared
import Wire

/// What the node keeps in memory of an account, as its history grows.
enum MemoryBench {
  static func run() throws {
    try Bench.inFolder { folder in
      let store = try BenchStore(folder: folder)
      let accounts = 200
      let before = try bytes(of: store)
      try store.subscribe(accounts: accounts, to: BenchCatalog.monthly)
      var lines: [String] = []
      var first = 0.0
      var last = 0.0
      for renewals in [10, 100, 1_000] {
        try store.advance(to: BenchCatalog.end(ofMonths: renewals))
        last = Double(try bytes(of: store) - before) / Double(accounts)
        if renewals == 10 { first = last }
        lines.append("\(Int(last)) bytes after \(renewals) renewals")
      }
      store.stop()
      print(
        """
        memory, an account: \(lines.joined(separator: ", ")): \
        ratio \(Bench.text(last / first)) (goal: about 1)
        """)
    }
  }

  /// Allocated, without SQLite's pages.
  private static func bytes(of store: BenchStore) throws -> Int {
    store.closeJournal()
    defer { try? store.openJournal() }
    return Bench.allocatedBytes
  }
}
