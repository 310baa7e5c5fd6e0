import ClientNode
import DeviceApp
import Fleet
import Foundation
import Wire

/// `storefleet client`: one client node in this process, with its devices.
enum ClientCommand {
  private static let connect = Option("connect", value: "ENDPOINT", help: "where the server node takes requests")
  private static let world = Option("world", value: "NAME", default: "main", help: "the devices' world")
  private static let name = Option("name", value: "NAME", default: "client", help: "the node's name in logs and tables")
  private static let device = Option(
    "device", value: "NAME=ACCOUNT", help: "a device and the account it is signed in to; may be repeated")
  private static let devices = Option(
    "devices", value: "FILE", help: "a JSON list of {\"world\", \"device\", \"account\"}, for many of them")
  private static let store = Option(
    "store", value: "FOLDER",
    help: "keeps the devices' local stores here, so that they survive a kill; in memory without it")
  private static let token = Option(
    "token", value: "TEXT", help: "the fleet's token; also read from STOREFLEET_TOKEN")

  static let command = Command(
    name: "client", summary: "run a client node: simulated devices with the built-in app",
    options: [connect, world, name, device, devices, store, token, ReadyFile.option],
    examples: [
      .init(
        "storefleet client --connect tcp://127.0.0.1:5555 --device phone=alice --device pad=alice",
        "two devices of one account; launch them with: storefleet device launch phone pad")
    ]
  ) { arguments in
    try Lifeline.exitWhenLauncherDies()
    let world = try arguments.required(world)
    let configuration = ClientNodeConfiguration(
      world: world, node: try arguments.required(name), devices: try seats(arguments, world),
      requestsEndpoint: try arguments.required(connect),
      token: arguments.value(token) ?? ProcessInfo.processInfo.environment["STOREFLEET_TOKEN"] ?? "",
      storeFolder: arguments.value(store))
    return try await run(configuration, ready: ReadyFile(arguments))
  }

  private static func run(_ configuration: ClientNodeConfiguration, ready: ReadyFile) async throws -> ExitCode {
    let (announcements, announcement) = AsyncStream.makeStream(of: Void.self)
    do {
      let node = try ClientNode(
        configuration: configuration, host: MultiDeviceHost<BuiltInApp>(), log: { LogLine.write($0) },
        onReady: { announcement.finish() })
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

  private static func seats(_ arguments: Arguments, _ world: String) throws -> [ClientNodeConfiguration.Device] {
    var seats: [ClientNodeConfiguration.Device] = []
    for text in arguments.values(device) {
      let parts = text.split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw UsageError("--device is NAME=ACCOUNT, such as phone=alice, not '\(text)'") }
      seats.append(.init(name: String(parts[0]), account: String(parts[1])))
    }
    if let file = arguments.value(devices) {
      do {
        let listed = try JSONDecoder().decode([DeviceRegistration].self, from: Data(contentsOf: URL(filePath: file)))
        seats += listed.filter { $0.world == world }.map { .init(name: $0.device, account: $0.account) }
      } catch let error as DecodingError {
        throw CommandFailure("'\(file)' is no list of devices: \(DecodingText.of(error))", exitCode: .failed)
      } catch {
        throw CommandFailure("'\(file)' cannot be read: \(error.localizedDescription)", exitCode: .failed)
      }
    }
    return seats
  }
}
