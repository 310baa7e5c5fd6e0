package import Fleet
public import Foundation
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
  ///   - states: what accounts have behind them as the test begins; needs a manual clock.
  ///   - catalog: what the App Store sells.
  ///   - clock: whether time goes by itself or is moved by the test.
  ///   - rate: how long subscription periods last.
  ///   - gracePeriod: how long a subscription stays usable after a renewal failed; nil for not at all.
  ///   - claimPolicy: what happens when a user claims what another user has.
  ///   - familyGrantDelay: how long a family waits for what a member has bought; Apple: up to an hour.
  ///   - habits: what the world does where Apple leaves it open.
  ///   - app: what runs on the devices, a process a device; nil for Storefleet's own right-minded app.
  ///   - clients: over how many processes the devices of Storefleet's own app are spread.
  ///   - launches: whether the apps are launched before `body`; else `device(_:).launch()` does it.
  ///   - servesHTTP: whether the App Store Server API is served, at `serverURL`.
  ///   - patience: how long an expectation waits, and a start of processes.
  /// - Throws: what `body` throws, or a `FleetTestingError` when the fleet cannot be started.
  public static func run<Result>(
    _ accounts: [String: [String]], families: [String: [String]] = [:], asksToBuy: Set<String> = [],
    states: [String: [FleetState]] = [:], catalog: FleetCatalog = .builtIn, clock: FleetClock.Mode = .real,
    rate: FleetClock.Rate = .realTime, gracePeriod: GracePeriod? = nil, claimPolicy: ClaimPolicy = .keep,
    familyGrantDelay: Duration = .zero, habits: FleetHabits = .documented, app: FleetApp? = nil, clients: Int = 1,
    launches: Bool = true, servesHTTP: Bool = false, patience: Duration = .seconds(60),
    _ body: (Fleet) async throws -> Result
  ) async throws -> Result {
    var setup = FleetSetup(
      accounts: accounts, families: families, asksToBuy: asksToBuy, catalog: catalog, clock: clock,
      gracePeriod: gracePeriod, app: app, launches: launches, patience: patience)
    setup.states = states
    setup.rate = rate
    setup.claimPolicy = claimPolicy
    setup.familyGrantDelay = familyGrantDelay
    setup.habits = habits
    setup.clients = clients
    setup.servesHTTP = servesHTTP
    return try await run(setup, body)
  }

  /// For how many days a subscription stays usable after a renewal failed; weekly plans have six at most.
  public enum GracePeriod: Int, Hashable, Sendable, CaseIterable {
    case threeDays = 3
    case sixteenDays = 16
    case twentyEightDays = 28
  }

  /// What happens when a user claims what belongs to another user already.
  public enum ClaimPolicy: String, Hashable, Sendable, CaseIterable {
    /// The claim is refused.
    case keep
    /// It moves to the user who claims it.
    case transfer
    /// Both have it.
    case share
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
        servesHTTP: setup.servesHTTP, home: workplace.home, app: try setup.app?.resolved(), patience: setup.patience))
    seats = setup.accounts.flatMap { account, devices in
      devices.map { DeviceRegistration(world: "main", device: $0, account: account) }
    }.sorted { $0.device < $1.device }
    crashes = CrashLog(processes)
  }

  // MARK: Who takes part

  public func device(_ name: String) -> FleetDevice { FleetDevice(fleet: self, name: name) }

  public func account(_ name: String) -> FleetAccount { FleetAccount(fleet: self, name: name) }

  public func family(_ name: String) -> FleetFamily { FleetFamily(fleet: self, name: name) }

  /// A process with devices, by its number from 1.
  public func client(_ number: Int) -> FleetClient { FleetClient(fleet: self, number: number) }

  /// A user of the app, by the token that the developer gave it.
  public func user(_ token: UUID) -> FleetUser { FleetUser(fleet: self, token: token) }

  /// A user of the app, with a token that is made from the name: the same in every fleet and scenario.
  public func user(_ name: String) -> FleetUser { user(UserToken.of(name)) }

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
