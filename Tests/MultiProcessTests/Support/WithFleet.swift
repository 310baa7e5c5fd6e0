import Fleet
import Foundation
import Shared
import Wire

/// Products of the demo's catalogue.
enum Product {
  static let coins = "com.example.app.coins"
  static let lifetime = "com.example.app.lifetime"
  static let seasonPass = "com.example.app.season"
}

/// What is particular about the world of a test.
struct WorldSetting: Sendable {
  var environment = "Sandbox"
  var clock = ClockMode.real
  var notificationURLs: NotificationURLs?
}

/// Starts a server process and client processes with the devices of these accounts, launches their apps, runs `body`,
/// and ends everything.
///
/// - Parameters:
///   - devices: The devices' names of each account. They are spread over the client processes in order of their names.
///   - world: What is particular about the world.
///   - prepare: Runs before the server starts, with the run folder there.
func withFleet<Result>(
  _ devices: [String: [String]] = [:], clients: Int = 1, world: WorldSetting = WorldSetting(), executable: String = Tool.executable,
  workplace: Workplace? = nil, prepare: (ProcessFleet) throws -> Void = { _ in },
  _ body: (TestFleet) async throws -> Result
) async throws -> Result {
  let workplace = try workplace ?? Workplace()
  let processes = try ProcessFleet(
    .init(name: "test", world: "main", executable: executable, home: workplace.home))
  let fleet = TestFleet(workplace: workplace, processes: processes)
  do {
    try prepare(processes)
    try await fleet.start(devices, clients: clients, world)
    let result = try await body(fleet)
    await processes.stop()
    return result
  } catch {
    await processes.stop()
    throw error
  }
}

extension TestFleet {
  fileprivate func start(
    _ devices: [String: [String]], clients: Int, _ setting: WorldSetting
  ) async throws {
    try await processes.startServer()
    let catalog = try String(contentsOfFile: Repository.path("Fixtures/Demo.storekit"), encoding: .utf8)
    let create = CreateWorld(
      catalog: catalog, environment: setting.environment, clock: setting.clock,
      notificationURLs: setting.notificationURLs)
    _ = try await ask(create, of: world)
    for account in devices.keys.sorted() { _ = try await ask(OpenAccount(account: account), of: world) }
    let seats = devices.flatMap { account, names in
      names.map { DeviceRegistration(world: world.world, device: $0, account: account) }
    }.sorted { $0.device < $1.device }
    try await processes.startClients(
      (0..<clients).map { client in seats.indices.filter { $0 % clients == client }.map { seats[$0] } })
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seat in seats { group.addTask { try await launch(seat.device) } }
      try await group.waitForAll()
    }
    if !seats.isEmpty { try await settle() }
  }
}
