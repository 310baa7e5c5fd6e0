package import Shared
import Wire

/// How an account of a fleet that runs gets into a state: its clock only goes forward, so the first command is now and
/// the state is reached later.
package struct StateJourney: Sendable {
  /// In the order of their times.
  package let commands: [ScenarioPrelude]
  /// When the account is in the state.
  package let end: StoreTime

  /// - Throws: one sentence that says why there is no such state.
  package init(
    _ kind: ScenarioState.Kind, _ time: Duration, account: String, product: CatalogProduct, timeRate: TimeRate,
    from now: StoreTime
  ) throws(ImpossibleState) {
    let world = ScenarioWorld(
      name: "", bundleId: "", environment: "", clock: .manual(startsAt: now), timeRate: timeRate)
    let plan = StartPlan(account: account, product: product, world: world, begin: now)
    (commands, end) = try plan.forward(kind, time)
  }
}
