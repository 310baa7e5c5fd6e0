package import Shared
import Wire

/// How an account gets into a state before a fleet's story begins: by commands of the time before.
package struct StatePast: Sendable {
  /// In the order of their times.
  package let commands: [ScenarioPrelude]

  /// - Parameter begin: where the clock stands when the story begins.
  /// - Throws: one sentence that says why there is no such state.
  package init(
    _ kind: ScenarioState.Kind, _ time: Duration, account: String, product: CatalogProduct, timeRate: TimeRate,
    gracePeriod: GracePeriod?, until begin: StoreTime
  ) throws(ImpossibleState) {
    var world = ScenarioWorld(
      name: "", bundleId: "", environment: "", clock: .manual(startsAt: begin), timeRate: timeRate)
    world.gracePeriod = gracePeriod
    commands = try StartPlan(account: account, product: product, world: world, begin: begin).commands(kind, time)
  }
}
