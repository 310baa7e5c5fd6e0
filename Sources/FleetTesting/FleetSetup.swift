package import Fleet
import Foundation
import Shared
package import Wire

/// What a fleet for a test is made of.
package struct FleetSetup: Sendable {
  package var accounts: [String: [String]]
  package var families: [String: [String]] = [:]
  package var asksToBuy: Set<String> = []
  package var catalog = FleetCatalog.builtIn
  package var clock = FleetClock.Mode.real
  package var gracePeriod: Fleet.GracePeriod?
  package var states: [String: [FleetState]] = [:]
  package var rate = FleetClock.Rate.realTime
  package var claimPolicy = Fleet.ClaimPolicy.keep
  package var familyGrantDelay = Duration.zero
  package var habits = FleetHabits.documented
  package var servesHTTP = false
  /// What signed data says, such as `Production`.
  /// Nil for what follows from the habits.
  package var environment: String?
  /// Where the developer's server takes notifications; nil for nowhere.
  package var notificationURLs: NotificationURLs?
  package var app: FleetApp?
  package var launches = true
  package var patience = Duration.seconds(60)
  /// Over how many client processes the built-in app's devices are spread.
  package var clients = 1
  /// The `storefleet` executable; nil finds it.
  package var executable: String?
  package var workplace: FleetWorkplace?
  /// Runs before the server starts, with the run folder there.
  package var prepare: @Sendable (ProcessFleet) throws -> Void = { _ in }

  package init(
    accounts: [String: [String]], families: [String: [String]] = [:], asksToBuy: Set<String> = [],
    catalog: FleetCatalog = .builtIn, clock: FleetClock.Mode = .real, gracePeriod: Fleet.GracePeriod? = nil,
    app: FleetApp? = nil, launches: Bool = true, patience: Duration = .seconds(60)
  ) {
    self.accounts = accounts
    self.families = families
    self.asksToBuy = asksToBuy
    self.catalog = catalog
    self.clock = clock
    self.gracePeriod = gracePeriod
    self.app = app
    self.launches = launches
    self.patience = patience
  }

  private var grace: GracePeriod? {
    gracePeriod.flatMap { GracePeriod.Length(rawValue: $0.rawValue) }.map { GracePeriod($0) }
  }

  /// - Parameter prelude: what happens before the test; a manual clock starts with it.
  func world(_ prelude: [ScenarioPrelude]) throws -> CreateWorld {
    let mode: ClockMode =
      switch clock {
      case .real: .real
      case .manual(let start): .manual(startsAt: prelude.first?.at ?? StoreTime(start))
      }
    return CreateWorld(
      catalog: try catalog.text(), environment: environment, clock: mode, timeRate: rate.timeRate, gracePeriod: grace,
      claimPolicy: Wire.ClaimPolicy(rawValue: claimPolicy.rawValue),
      familyGrantDelay: familyGrantDelay.wholeMilliseconds, habits: try habits.checked(),
      notificationURLs: notificationURLs)
  }

  /// What brings accounts into their states, in order of the times.
  func prelude() throws -> [ScenarioPrelude] {
    guard states.contains(where: { !$0.value.isEmpty }) else { return [] }
    guard case .manual(let begin) = clock else { throw FleetTestingError.stateNeedsManualClock }
    let text = try catalog.text()
    let sold = try FleetTestingError.translatingCatalog { try Catalog(data: Data(text.utf8), file: "the catalogue") }
    var prelude: [ScenarioPrelude] = []
    for account in states.keys.sorted() {
      guard accounts[account] != nil else {
        throw FleetTestingError("'\(account)' has a state, but is none of the fleet's accounts")
      }
      var together = StartStates(account: account)
      for state in states[account] ?? [] {
        let (kind, productID, time) = state.parts
        let product = try sold.sold(productID)
        let past = try StatePast(
          kind, time, account: account, product: product, timeRate: rate.timeRate, gracePeriod: grace,
          until: StoreTime(begin))
        try together.add(kind, time, product, past.commands, until: StoreTime(begin))
        prelude += past.commands
      }
    }
    return prelude.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }
}

extension Fleet {
  func start(_ setup: FleetSetup) async throws {
    let prelude = try setup.prelude()
    let created = try setup.world(prelude)
    try await processes.startServer()
    _ = try await ask(created, of: world)
    for account in setup.accounts.keys.sorted() {
      _ = try await ask(OpenAccount(account: account, asksToBuy: setup.asksToBuy.contains(account)), of: world)
    }
    for (family, members) in setup.families.sorted(by: { $0.key < $1.key }) {
      guard let organizer = members.first else { continue }
      _ = try await ask(CreateFamily(organizer: organizer), of: address(.family, family))
      for member in members.dropFirst() { _ = try await ask(JoinFamily(account: member), of: address(.family, family)) }
    }
    try await play(prelude, until: setup.clock)
    let perProcess = setup.app?.devicesPerProcess ?? 1
    let processCount = setup.app == nil ? max(1, setup.clients) : (seats.count + perProcess - 1) / perProcess
    try await processes.startClients(
      (0..<processCount).map { process in
        seats.indices.filter { setup.app == nil ? $0 % processCount == process : $0 / perProcess == process }
          .map { seats[$0] }
      })
    guard setup.launches, !seats.isEmpty else { return }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seat in seats {
        group.addTask { _ = try await ask(LaunchDevice(), of: address(.device, seat.device)) }
      }
      try await group.waitForAll()
    }
    _ = try await ask(Settle(), of: world)
  }
  private func play(_ prelude: [ScenarioPrelude], until clock: FleetClock.Mode) async throws {
    guard case .manual(let begin) = clock, !prelude.isEmpty else { return }
    for step in prelude {
      _ = try await ask(AdvanceClock(.to(step.at)), of: world)
      do { try await step.play(on: address(.account, step.account), asking: try processes.control()) } catch {
        throw FleetTestingError("the state of \(step.account) (\(step.productId)) cannot be made: \(error)")
      }
    }
    _ = try await ask(AdvanceClock(.to(StoreTime(begin))), of: world)
  }
}
