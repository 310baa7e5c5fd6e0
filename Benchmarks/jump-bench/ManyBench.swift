import Foundation
import ServerNode
import Shared
import Wire

/// A hundred thousand renewals in one jump: of many accounts, and of one.
enum ManyBench {
  static func run() throws {
    try Bench.inFolder { folder in
      let store = try BenchStore(folder: folder)
      let (accounts, periods) = (2_000, 50)
      try store.subscribe(accounts: accounts, to: BenchCatalog.monthly)
      let end = try BenchCatalog.end(ofMonths: periods)
      let seconds = try Bench.seconds { try store.advance(to: end) }
      try report("\(accounts) accounts, \(periods) months each", accounts * periods, seconds, store, of: accounts)
    }
    try Bench.inFolder { folder in
      let store = try BenchStore(folder: folder, timeRate: .monthlyRenewalEveryThirtySeconds)
      try store.subscribe(accounts: 1, to: BenchCatalog.monthly)
      let periods = 100_000
      let seconds = try Bench.seconds { try store.advance(milliseconds: Int64(periods) * 30_000) }
      try report("one account, \(periods) periods of 30 s", periods, seconds, store, of: 1)
    }
  }

  private static func report(
    _ what: String, _ renewals: Int, _ seconds: Double, _ store: BenchStore, of accounts: Int
  ) throws {
    let last = try store.ask(CatchUp(epoch: 1, after: 1), of: BenchStore.account(accounts - 1)).position.sequence
    guard last == UInt64(renewals / accounts + 2) else {
      throw BenchStore.Failed(description: "account-\(accounts - 1) has \(last) events after \(renewals) renewals")
    }
    store.stop()
    print(
      """
      one jump, \(what): \(renewals) renewals in \(Bench.text(seconds)) s, \
      \(Int(Double(renewals) / seconds)) renewals/s
      """)
  }
}
