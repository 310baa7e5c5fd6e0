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
  package var gracePeriod: Int?
  /// What signed data says, such as `Production`.
  package var environment = "Sandbox"
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
    catalog: FleetCatalog = .builtIn, clock: FleetClock.Mode = .real, gracePeriod: Int? = nil, app: FleetApp? = nil,
    launches: Bool = true, patience: Duration = .seconds(60)
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

  func world() throws -> CreateWorld {
    var grace: GracePeriod?
    if let gracePeriod {
      guard let length = GracePeriod.Length(rawValue: gracePeriod) else {
        throw FleetTestingError("a grace period has 3, 16 or 28 days, not \(gracePeriod)")
      }
      grace = GracePeriod(length)
    }
    let mode: ClockMode =
      switch clock {
      case .real: .real
      case .manual(let start): .manual(startsAt: StoreTime(start))
      }
    return CreateWorld(
      catalog: try catalog.text(), environment: environment, clock: mode, gracePeriod: grace,
      notificationURLs: notificationURLs)
  }
}

extension Fleet {
  func start(_ setup: FleetSetup) async throws {
    try await processes.startServer()
    _ = try await ask(try setup.world(), of: world)
    for account in setup.accounts.keys.sorted() {
      _ = try await ask(OpenAccount(account: account, asksToBuy: setup.asksToBuy.contains(account)), of: world)
    }
    for (family, members) in setup.families.sorted(by: { $0.key < $1.key }) {
      guard let organizer = members.first else { continue }
      _ = try await ask(CreateFamily(organizer: organizer), of: address(.family, family))
      for member in members.dropFirst() { _ = try await ask(JoinFamily(account: member), of: address(.family, family)) }
    }
    let perProcess = setup.app?.devicesPerProcess ?? 1
    let processCount = setup.app == nil ? setup.clients : (seats.count + perProcess - 1) / perProcess
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
}
