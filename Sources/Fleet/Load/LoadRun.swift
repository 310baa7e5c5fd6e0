import Foundation
import Shared
import Wire

/// One load run on a fleet of real processes.
package struct LoadRun: Sendable {
  package struct Settings: Hashable, Sendable {
    package var plan: FleetPlan
    /// The text of a `.storekit` file.
    package var catalog: String
    package var product: String
    /// Purchases a second, of all devices together.
    package var rate: Double
    package var duration: Duration
    package var seed: UInt64

    package init(plan: FleetPlan, catalog: String, product: String, rate: Double, duration: Duration, seed: UInt64) {
      self.plan = plan
      self.catalog = catalog
      self.product = product
      self.rate = rate
      self.duration = duration
      self.seed = seed
    }

    /// How many purchases are to be made.
    package var purchases: Int { max(1, Int((rate * (duration / .seconds(1))).rounded())) }
  }

  /// What a run is doing.
  package enum Stage: Hashable, Sendable {
    case launching(done: Int)
    case buying(done: Int)
    case draining
  }

  private let settings: Settings
  private let fleet: ProcessFleet
  private let onStage: @Sendable (Stage) -> Void

  /// Enough to keep two cores busy, and few enough not to outlast a question's deadline.
  private static let launchesAtATime = 32
  /// The clients all have their orders before the first purchase.
  private static let headStart = Duration.milliseconds(500)
  /// How long any question may take on a busy machine.
  private static let patience = Duration.seconds(90)
  private static let pollInterval = Duration.milliseconds(250)
  /// A delivery that has not come this long after the last one never comes: catching up takes heartbeats of a second.
  private static let quiet = Duration.seconds(6)

  package init(_ settings: Settings, on fleet: ProcessFleet, onStage: @escaping @Sendable (Stage) -> Void) {
    self.settings = settings
    self.fleet = fleet
    self.onStage = onStage
  }

  private var plan: FleetPlan { settings.plan }
  private func address(_ kind: ActorAddress.Kind, _ key: String) -> ActorAddress {
    ActorAddress(world: plan.world, kind: kind, key: key)
  }
  private var nodes: [ActorAddress] { (1...plan.clients).map { address(.node, "client-\($0)") } }

  /// Needs a fleet whose server runs, and whose clients are to run the load app.
  package func run() async throws -> LoadReport {
    try await makeWorld()
    try await fleet.startClients(plan.seats)
    return try await withThrowingTaskGroup(of: LoadReport?.self) { group in
      group.addTask { try await measure() }
      group.addTask {
        // A node that has gone would only be noticed when nothing answers for a long time.
        if let death = await fleet.unexpectedEnd() { throw FleetError(death) }
        return nil
      }
      defer { group.cancelAll() }
      while let report = try await group.next() {
        if let report { return report }
      }
      throw CancellationError()
    }
  }

  private func measure() async throws -> LoadReport {
    var usage = LoadUsage()
    let clients = Array(await fleet.clientProcessIDs.values)
    let server = [await fleet.serverProcessID].compactMap { $0 }
    usage.clientsReady = .sum(clients)
    try await launchDevices()
    usage.clientsLaunched = .sum(clients)
    usage.serverBefore = .sum(server)
    let startAt = MonotonicTime.now.advanced(
      byMilliseconds: LoadRun.headStart.wholeMilliseconds
    ).microseconds
    try await buy(from: startAt)
    onStage(.draining)
    let records = try await drain()
    usage.clientsAfter = .sum(clients)
    usage.serverAfter = .sum(server)
    return LoadReport(
      plan: plan, product: settings.product, seed: settings.seed, rate: settings.rate,
      durationSeconds: settings.duration / .seconds(1), startAt: startAt, records: records, usage: usage)
  }

  // MARK: Before

  private func makeWorld() async throws {
    let world = address(.world, plan.world)
    let control = try fleet.control()
    _ = try await control.ask(CreateWorld(catalog: settings.catalog, seed: settings.seed), of: world)
    for account in plan.accounts { _ = try await control.ask(OpenAccount(account: account), of: world) }
  }

  private func launchDevices() async throws {
    let control = try fleet.control()
    let devices = plan.seats.flatMap { $0 }.map { address(.device, $0.device) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      var launched = 0
      var waiting = devices[...]
      func launchNext() {
        guard let device = waiting.popFirst() else { return }
        group.addTask { _ = try await control.ask(LaunchDevice(), of: device, timeout: LoadRun.patience) }
      }
      for _ in 0..<LoadRun.launchesAtATime { launchNext() }
      while try await group.next() != nil {
        launched += 1
        onStage(.launching(done: launched))
        launchNext()
      }
    }
    _ = try await control.ask(Settle(), of: address(.world, plan.world), timeout: LoadRun.patience)
    _ = try await askClients { _ in PrepareLoad(productId: settings.product) }
  }

  // MARK: During

  /// Returns when every purchase has ended.
  private func buy(from startAt: Int64) async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        _ = try await askClients(timeout: settings.duration + LoadRun.patience) { client in
          StartLoad(
            startAt: startAt, rate: settings.rate, total: settings.purchases, client: client, clients: plan.clients,
            seed: settings.seed)
        }
        return true
      }
      group.addTask {
        while true {
          try await Task.sleep(for: LoadRun.pollInterval)
          let counts = try await askClients { _ in CountLoad() }
          onStage(.buying(done: counts.reduce(0) { $0 &+ $1.acknowledged &+ $1.failed }))
        }
      }
      defer { group.cancelAll() }
      _ = try await group.next()
    }
  }

  /// Returns when everything that is owed has come and nothing more comes, or nothing has come for a while.
  private func drain() async throws -> [LoadRecord] {
    var delivered = -1
    var lastChange = ContinuousClock.now
    while true {
      let counts = try await askClients { _ in CountLoad() }
      let now = counts.reduce(0) { $0 &+ $1.delivered }
      if now != delivered {
        delivered = now
        lastChange = .now
      } else {
        let records = try await askClients { _ in CollectLoad() }
        let isComplete = LoadAudit(records, accountOfDevice: plan.accountOfDevice).lost == 0
        if isComplete || ContinuousClock.now - lastChange > LoadRun.quiet { return records }
      }
      try await Task.sleep(for: LoadRun.pollInterval)
    }
  }

  /// Asks all client nodes at once; the replies are in their order.
  private func askClients<Message: Request>(
    timeout: Duration = LoadRun.patience, _ message: (Int) -> Message
  ) async throws -> [Message.Reply] {
    let control = try fleet.control()
    return try await withThrowingTaskGroup(of: (Int, Message.Reply).self) { group in
      for (index, node) in nodes.enumerated() {
        let message = message(index)
        group.addTask { (index, try await control.ask(message, of: node, timeout: timeout)) }
      }
      var replies: [(Int, Message.Reply)] = []
      for try await reply in group { replies.append(reply) }
      return replies.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}
