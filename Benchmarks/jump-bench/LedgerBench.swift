import Foundation
import ServerNode
import Shared
import Wire

/// A renewal in the pure ledger, as a timer of a clock jump plays it, beside one OpenSSL P-256 signature.
enum LedgerBench {
  static func run() throws {
    let catalog = try Catalog(data: Data(BenchCatalog.text.utf8), file: "bench")
    let world = WorldSettings(
      world: "w", catalog: catalog, bundleId: "com.example.app", environment: "Sandbox", timeRate: .realTime)
    let key = try OffersKey.generate(id: "BENCH")
    var renewals: [Double] = []
    var signatures: [Double] = []
    let message = Data(repeating: 1, count: 32)
    for _ in 0..<Bench.rounds {
      var state = try subscriber(world)
      let lineage = state.transactionId()
      try play(.purchase(Purchase(productId: BenchCatalog.weekly)), at: BenchStore.start, &state, world)
      renewals.append(
        try Bench.microseconds(20_000) {
          guard let due = state.timers["renewal/\(lineage)"] else { return }
          try play(.timer(.renewal(lineage)), at: due, &state, world)
        })
      signatures.append(try Bench.microseconds(5_000) { _ = try key.sign(message) })
      guard state.transactionCount == 20_001 else {
        throw BenchStore.Failed(description: "not every renewal was played")
      }
    }
    let (renewal, signature) = (Bench.median(renewals), Bench.median(signatures))
    print(
      """
      ledger: a renewal takes \(Bench.text(renewal)) µs, a P-256 signature \(Bench.text(signature)) µs: \
      ratio \(Bench.text(renewal / signature)) (goal: at most 0.33)
      """)
  }

  private static func subscriber(_ world: WorldSettings) throws -> AccountState {
    var state = AccountState()
    let profile = AccountProfile(name: "alice", ordinal: 1, appTransactionId: "71", asksToBuy: false)
    try play(.open(profile), at: BenchStore.start, &state, world)
    return state
  }

  private static func play(
    _ command: AccountCommand, at now: StoreTime, _ state: inout AccountState, _ world: WorldSettings
  ) throws {
    for event in try state.decide(command, in: StoreContext(now: now, world: world)).events { state.evolve(event) }
    state.archive()
  }
}
