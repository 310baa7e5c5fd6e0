import ClientNode
import DeviceApp
import Fleet
import Foundation
import Wire

/// `storefleet client`: one client node in this process, with its devices.
enum ClientCommand {
  private static let connect = Option(
    "connect", value: "ENDPOINT", isRequired: true, help: "where the server node takes requests")
  private static let world = Option("world", value: "NAME", default: "main", help: "the devices' world")
  private static let name = Option(
    "name", value: "NAME", help: "the node's name in logs and tables; the machine's host name without it")
  private static let store = Option(
    "store", value: "FOLDER",
    help: "keeps the devices' local stores here, so that they survive a kill; in memory without it")
  private static let load = Option(
    flag: "load", help: "run the app of load runs, which measures, instead of the built-in one")
  private static let token = Option(
    "token", value: "TEXT", mayBeEmpty: true, help: "the fleet's token; also read from STOREFLEET_TOKEN")
  private static let launch = Option(
    flag: "launch",
    help: "launch the apps at once, and be ready when they run; else they wait for: storefleet device launch")

  static let command = Command(
    name: "client", summary: "run a client node: simulated devices with the built-in app",
    options: [connect, world, name] + ClientSeats.options + AppOptions.all + [
      launch, load, store, token, ReadyFile.option,
    ],
    examples: [
      .init(
        "storefleet client --connect tcp://127.0.0.1:5555 --device phone=alice --device pad=alice",
        "two devices of one account; launch them with: storefleet device launch phone pad"),
      .init(
        "storefleet client --connect tcp://server:5555 --device-count 10 --account alice --account bob --launch",
        "ten running devices, named after this machine, five of each account"),
      .init(
        "storefleet client --connect tcp://server:5555 --device phone=alice --app .build/debug/MyApp --launch",
        "your own app on a device, in a process of its own"),
    ]
  ) { arguments in
    let world = try arguments.required(world)
    let node = arguments.value(name) ?? ClientSeats.hostName
    try NameError.check(world, "a world")
    try NameError.check(node, "a client node")
    try FleetOptions.check(endpoint: try arguments.required(connect))
    let configuration = ClientNodeConfiguration(
      world: world, node: node, devices: try ClientSeats.read(arguments, world: world, node: node),
      requestsEndpoint: try arguments.required(connect),
      token: arguments.value(token) ?? ProcessInfo.processInfo.environment["STOREFLEET_TOKEN"] ?? "",
      storeFolder: arguments.value(store), launchesApps: arguments.has(launch))
    if let app = try AppOptions.read(arguments) {
      return try await AppClient(configuration, app).run(ready: ReadyFile(arguments))
    }
    let host: any AppHost = arguments.has(load) ? LoadHost() : MultiDeviceHost<BuiltInApp>()
    return try await run(configuration, host, ready: ReadyFile(arguments))
  }

  private static func run(
    _ configuration: ClientNodeConfiguration, _ host: any AppHost, ready: ReadyFile
  ) async throws -> ExitCode {
    let (announcements, announcement) = AsyncStream.makeStream(of: Void.self)
    do {
      let node = try ClientNode(
        configuration: configuration, host: host, log: { LogLine.write($0) },
        onReady: { _ in announcement.finish() })
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for await _ in announcements {}
          guard !Task.isCancelled else { return }
          LogLine.write("ready: \(configuration.devices.count) devices")
          try ready.announce(["node": configuration.node, "devices": "\(configuration.devices.count)"])
        }
        group.addTask { try await node.run() }
        // The node runs until it is told to end; its failure ends the wait for its word too.
        for try await _ in group {}
      }
    } catch let error as ClientNodeError {
      throw CommandFailure(error.message, exitCode: .unreachable)
    }
    LogLine.write("stopped")
    return .ok
  }
}
