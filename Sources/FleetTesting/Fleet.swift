package import Fleet
import Foundation
import Launch
import Shared
import Wire

/// A fleet of real processes for one test: a server node, which is the App Store, and client nodes with phones.
///
/// ```swift
/// try await Fleet.run(["alice": ["phone", "pad"]], app: .executable("MyApp")) { fleet in
///   try await fleet.device("phone").buy("com.example.app.lifetime")
///   try await fleet.device("pad").expect { $0.unlocked == ["com.example.app.lifetime"] }
///   try await fleet.account("alice").refund("com.example.app.lifetime")
///   try await fleet.device("pad").expect { $0.access == .locked }
/// }
/// ```
///
/// Every fleet has a folder, ports and a world of its own, so tests run in parallel. Its processes end with the call, and
/// with the test's process however that ends. No call sleeps: each returns when what it says has happened, or throws a
/// sentence.
public struct Fleet: Sendable {
  package let processes: ProcessFleet
  /// How long expectations wait when they do not say.
  public let patience: Duration
  let seats: [DeviceRegistration]
  let crashes: CrashLog

  /// Starts a fleet, launches its apps, runs `body`, and ends everything.
  ///
  /// - Parameters:
  ///   - accounts: the devices of each account, by name.
  ///   - families: the accounts of each family; the first is the organiser.
  ///   - asksToBuy: the accounts whose purchases wait for the organiser.
  ///   - catalog: what the App Store sells.
  ///   - clock: whether time goes by itself or is moved by the test.
  ///   - gracePeriod: for how many days a subscription stays usable after a renewal failed: 3, 16 or 28.
  ///   - app: what runs on the devices, a process a device; nil for Storefleet's own right-minded app, in one process.
  ///   - launches: whether the apps are launched before `body`; else `device(_:).launch()` does it.
  ///   - patience: how long an expectation waits, and a start of processes.
  /// - Throws: what `body` throws, or a `FleetTestingError` when the fleet cannot be started.
  public static func run<Result>(
    _ accounts: [String: [String]], families: [String: [String]] = [:], asksToBuy: Set<String> = [],
    catalog: FleetCatalog = .builtIn, clock: FleetClock.Mode = .real, gracePeriod: Int? = nil, app: FleetApp? = nil,
    launches: Bool = true, patience: Duration = .seconds(60), _ body: (Fleet) async throws -> Result
  ) async throws -> Result {
    let setup = FleetSetup(
      accounts: accounts, families: families, asksToBuy: asksToBuy, catalog: catalog, clock: clock,
      gracePeriod: gracePeriod, app: app, launches: launches, patience: patience)
    return try await run(setup, body)
  }

  package static func run<Result>(
    _ setup: FleetSetup, _ body: (Fleet) async throws -> Result
  ) async throws -> Result {
    try await FleetTestingError.translating {
      let workplace = try setup.workplace ?? FleetWorkplace()
      let fleet = try Fleet(setup, workplace)
      do {
        try setup.prepare(fleet.processes)
        try await fleet.start(setup)
        let result = try await body(fleet)
        await fleet.processes.stop()
        return result
      } catch {
        await fleet.processes.stop(keepingFolder: workplace.isKept)
        throw error
      }
    }
  }

  private init(_ setup: FleetSetup, _ workplace: FleetWorkplace) throws {
    patience = setup.patience
    processes = try ProcessFleet(
      .init(
        name: "test", world: "main", executable: try setup.executable ?? StorefleetExecutable.path(),
        home: workplace.home, app: try setup.app?.resolved(), patience: setup.patience))
    seats = setup.accounts.flatMap { account, devices in
      devices.map { DeviceRegistration(world: "main", device: $0, account: account) }
    }.sorted { $0.device < $1.device }
    crashes = CrashLog(processes)
  }

  // MARK: Who takes part

  public func device(_ name: String) -> FleetDevice { FleetDevice(fleet: self, name: name) }

  public func account(_ name: String) -> FleetAccount { FleetAccount(fleet: self, name: name) }

  public func family(_ name: String) -> FleetFamily { FleetFamily(fleet: self, name: name) }

  /// The world's clock.
  public var clock: FleetClock { FleetClock(fleet: self) }

  /// All devices, in order of their names.
  public var devices: [FleetDevice] { seats.map { device($0.device) } }

  // MARK: The App Store

  /// Kills the server process, as a crash does. Devices go on with what they have.
  public func killServer() async { await processes.killServer() }

  /// Starts the server process again, with what its disk holds.
  public func startServer() async throws {
    try await FleetTestingError.translating { try await processes.startServer() }
  }

  /// Waits until nothing is due and every running online device is where its account is.
  public func settle() async throws { _ = try await tell(Settle(), world) }

  /// What happened to an account, a line an event, oldest first.
  public func timeline(of account: String) async throws -> String {
    try await FleetTestingError.translating { try await timelineText(account) }
  }

  /// Waits until every running online app believes what is true: that it may use what its account owns by the server's
  /// journal, and holds unfinished what is unfinished there.
  public func expectAgreement(
    within deadline: Duration? = nil, file: StaticString = #fileID, line: UInt = #line
  ) async throws {
    try await until("every app agrees with the ledger", within: deadline, file: file, line: line) {
      let text = try await disagreements()
      return text.isEmpty ? .found(()) : .notYet(text.joined(separator: "; "))
    }
  }
}
