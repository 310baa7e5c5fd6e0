import Fleet
import Shared
import Wire

extension FleetAccount {
  /// Brings the account into a state by ordinary purchases, and moves the manual clock forward until it is in it.
  ///
  /// ```swift
  /// try await fleet.account("alice").start(.trial("com.example.app.yearly", left: .minutes(5)))
  /// ```
  ///
  /// `Fleet.run(states:)` does it in the past instead, so that the test begins at the clock's start.
  ///
  /// - Throws: when the clock is real, or nobody can be in the state.
  public func start(_ state: FleetState) async throws {
    let world = try await fleet.tell(DescribeWorld(), fleet.world)
    guard case .manual = world.clock else { throw FleetTestingError.stateNeedsManualClock }
    let (kind, productID, time) = state.parts
    let product = try await fleet.catalog().sold(productID)
    let past = try await history()
    var isEligible = true
    if let group = product.subscription?.groupID {
      isEligible = try await fleet.tell(GetIntroEligibility(groups: [group]), address).eligible[group] ?? true
    }
    try await FleetTestingError.translating {
      let journey = try StateJourney(
        kind, time, account: name, product: product, timeRate: world.timeRate, gracePeriod: world.gracePeriod,
        history: past, isEligibleForIntroOffer: isEligible, from: world.now)
      for command in journey.commands {
        _ = try await fleet.ask(AdvanceClock(.to(command.at)), of: fleet.world)
        try await command.play(on: address, asking: try fleet.processes.control())
      }
      _ = try await fleet.ask(AdvanceClock(.to(journey.end)), of: fleet.world)
    }
    if let shortfall = kind.shortfall(of: productID, in: try await history()) {
      throw FleetTestingError("\(name) \(shortfall)")
    }
  }
}

extension FleetTestingError {
  static let stateNeedsManualClock = FleetTestingError(
    "a state needs a manual clock: run the fleet with clock: .manual(startsAt: …)")
}

extension Catalog {
  /// - Throws: when there is no such product.
  func sold(_ productID: String) throws(FleetTestingError) -> CatalogProduct {
    guard let product = product(productID) else { throw FleetTestingError("the fleet does not sell '\(productID)'") }
    return product
  }
}
