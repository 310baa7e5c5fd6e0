import Fleet
import Foundation
import Shared
import Wire

/// `storefleet up`: starts a fleet and keeps it up until Ctrl-C.
enum UpCommand {
  private static let devices = Option("devices", short: "n", value: "N", default: "4", help: "how many devices")
  private static let clients = Option(
    "clients", value: "N", default: "1", help: "over how many client processes they are spread")
  private static let perAccount = Option(
    "devices-per-account", value: "N", default: "2", help: "how many devices each account has")
  private static let name = Option("name", value: "NAME", default: "fleet", help: "the fleet's name")
  private static let world = Option("world", value: "NAME", default: "main", help: "the world's name")

  static let command = Command(
    name: "up", summary: "start a fleet and keep it up until Ctrl-C",
    options: [devices, clients, perAccount, name, world, ReadyFile.option] + AppOptions.all + WorldOptions.all,
    examples: [
      .init("storefleet up -n 10 --catalog Products.storekit", "ten devices of five accounts"),
      .init("storefleet up --habits field,coldStartEmpty=off", "a world that behaves as developers report"),
      .init("storefleet up --notify http://127.0.0.1:8080/hook", "a backend hears of every purchase and renewal"),
      .init("storefleet up --app .build/debug/MyApp -n 4", "your own app on four devices, a process each"),
      .init("storefleet up -n 500 --clients 2 --clock manual", "then: storefleet clock advance 31d"),
      .init("storefleet up --ready-file up.fifo", "a script that reads the FIFO goes on when every app runs"),
    ]
  ) { arguments in
    try NameError.check(try arguments.required(world), "a world")
    let create = try WorldOptions.request(arguments)
    let app = try AppOptions.read(arguments)
    guard app == nil || !arguments.has(clients) else {
      throw UsageError(
        "with --app a device has a process of its own: leave out --clients, or say --devices-per-process K")
    }
    let count = try arguments.integer(devices, in: 1...100_000) ?? 4
    let plan = FleetPlan(
      world: try arguments.required(world), devices: count,
      devicesPerAccount: try arguments.integer(perAccount, in: 1...1_000) ?? 2,
      clients: try app.map { (count - 1) / $0.devicesPerProcess + 1 } ?? arguments.integer(clients, in: 1...1_000) ?? 1)
    let fleet = try ProcessFleet(
      .init(
        name: try arguments.required(name), world: plan.world, followsEvents: false, servesHTTP: true, app: app))
    do {
      try await start(fleet, plan, create)
      try ReadyFile(arguments).announce([
        "fleet": fleet.configuration.name, "world": plan.world, "devices": "\(plan.devices)",
      ])
      // An app that crashes ends nothing but itself.
      let crashes = Task {
        for await crash in fleet.appCrashes { StandardError.print("storefleet: \(crash); its device is off now") }
      }
      defer { crashes.cancel() }
      if let death = await fleet.unexpectedEnd() { throw FleetError(death) }
      await fleet.stop()
      return .ok
    } catch let error as FleetError {
      // It names a log.
      await fleet.stop(keepingFolder: true)
      throw CommandFailure(error.message, exitCode: .unreachable)
    } catch {
      // What an app did wrong is told with its log's path.
      await fleet.stop(keepingFolder: app != nil)
      throw error
    }
  }

  /// The products' ids, so that one can be bought at once.
  private static func sold(_ create: CreateWorld) throws -> String {
    let ids = try Catalog(data: Data(create.catalog.utf8), file: "the catalogue").products.map(\.id)
    let more = ids.count - 8
    return ids.prefix(8).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  private static func start(_ fleet: ProcessFleet, _ plan: FleetPlan, _ create: CreateWorld) async throws {
    let progress = Progress("starting processes and apps", total: plan.clients + plan.devices)
    try await fleet.startServer()
    let world = ActorAddress(world: plan.world, kind: .world, key: plan.world)
    _ = try await fleet.ask(create, of: world)
    try await Concurrently.forEach(plan.accounts) { account in
      _ = try await fleet.ask(OpenAccount(account: account), of: world)
    }
    try await fleet.startClients(plan.seats) { progress.advance() }
    try await Concurrently.forEach(Array(plan.seats.joined())) { device in
      _ = try await fleet.ask(
        LaunchDevice(), of: ActorAddress(world: plan.world, kind: .device, key: device.device))
      progress.advance()
    }
    progress.finish()
    let endpoints = await fleet.endpoints
    let base = create.environment == "Production" ? "production" : "sandbox"
    let api = endpoints?.http.map { "\($0)/\(plan.world)/\(base)" }
    print(
      """
      Fleet '\(fleet.configuration.name)' is up: world '\(plan.world)', \(counted(plan.devices, "device")) of \
      \(counted(plan.accounts.count, "account")) in \(plan.clients) \(fleet.configuration.app.map { "\($0.name) " } ?? "client ")\(plan.clients == 1 ? "process" : "processes").
      sells     \(try sold(create))
      requests  \(endpoints?.requests ?? "-")
      events    \(endpoints?.events ?? "-")
      http      \(endpoints?.http ?? "-")
      api       \(api ?? "-"), with the key of 'storefleet keys'
      folder    \(fleet.folder.path)
      Try in another terminal: storefleet devices, storefleet watch, storefleet buy PRODUCT --on DEVICE.
      Ctrl-C ends it.
      """)
    // Standard output may be a pipe, which nobody flushes for a process that waits.
    fflush(nil)
  }
}
