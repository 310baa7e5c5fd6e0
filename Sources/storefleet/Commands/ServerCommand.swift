import AppStoreServerAPI
import Fleet
import Foundation
import HTTPServer
import ServerNode
import Wire

/// `storefleet server`: one server node in this process.
enum ServerCommand {
  private static let data = Option(
    "data", value: "FOLDER", help: "where the journal and the certificate authorities are kept; in memory without it")
  private static let listen = Option(
    "listen", value: "ENDPOINT", default: "tcp://127.0.0.1:*",
    help: "where requests are taken; * lets the system pick a port")
  private static let events = Option(
    "events", value: "ENDPOINT", default: "tcp://127.0.0.1:*", help: "where events are published")
  private static let token = Option(
    "token", value: "TEXT", mayBeEmpty: true,
    help: "what peers must say in their hello; also read from STOREFLEET_TOKEN")
  private static let name = Option("name", value: "NAME", default: "server", help: "the node's name in logs and tables")
  private static let insecure = Option(
    flag: "insecure", help: "allow an endpoint beyond loopback: whoever reaches it can act on the store")
  private static let heartbeat = Option(
    "heartbeat", value: "DURATION", default: "1s", help: "how often the node says that it lives")
  private static let evict = Option(
    flag: "evict-after-every-turn", help: "keep no actor in memory; nothing may change by it but the speed")

  static let command = Command(
    name: "server", summary: "run a server node: the simulated App Store",
    options: [data, listen, events] + HTTPOptions.all + APIOptions.all + [
      token, name, heartbeat, insecure, evict, ReadyFile.option,
    ],
    examples: [
      .init("storefleet server --data ./store", "keeps its worlds in ./store and prints where it listens"),
      .init("storefleet server --data ./store --http 127.0.0.1:8080", "has the App Store Server API there too"),
      .init("storefleet server --listen tcp://127.0.0.1:5555 --token secret", "listens at a fixed port"),
    ]
  ) { arguments in
    let endpoints = [try arguments.required(listen), try arguments.required(events)]
    for (option, endpoint) in zip([listen, events], endpoints) { try checkForm(endpoint, of: option) }
    if !arguments.has(insecure) { try endpoints.forEach(checkLoopback) }
    let http = try HTTPOptions(arguments, isInsecure: arguments.has(insecure))
    let api = try APIOptions.read(arguments)
    var configuration = StoreServer.Configuration(
      node: try arguments.required(name), dataFolder: arguments.value(data), requestsEndpoint: endpoints[0],
      eventsEndpoint: endpoints[1],
      token: arguments.value(token) ?? ProcessInfo.processInfo.environment["STOREFLEET_TOKEN"] ?? "",
      heartbeat: try arguments.duration(heartbeat) ?? .seconds(1),
      evictsAfterEveryTurn: arguments.has(evict))
    configuration.isMeasured = http != nil
    ProcessMetrics.noteStart()
    return try await run(configuration, http, api, ready: ReadyFile(arguments))
  }

  private static func run(
    _ configuration: StoreServer.Configuration, _ http: HTTPOptions?, _ api: ServerAPI.Options, ready: ReadyFile
  ) async throws -> ExitCode {
    let front: HTTPFront?
    do { front = try http.map { options throws(HTTPServerError) in try HTTPFront(options) } } catch {
      throw CommandFailure(error.description, exitCode: .unreachable)
    }
    do {
      let code = try await run(configuration, front, api, ready: ready)
      return code
    } catch {
      await front?.stop()
      throw error
    }
  }

  private static func run(
    _ configuration: StoreServer.Configuration, _ front: HTTPFront?, _ api: ServerAPI.Options, ready: ReadyFile
  ) async throws -> ExitCode {
    var configuration = configuration
    configuration.httpBaseURL = front?.baseURL
    let server: StoreServer
    let endpoints: StoreServer.Endpoints
    do {
      let sender = NotificationSender()
      server = try StoreServer(configuration, sender: { sender.send($0, then: $1) }) { LogLine.write($0) }
      endpoints = try await server.run()
    } catch let error as JournalError {
      throw CommandFailure(error.message, exitCode: .unreachable)
    } catch let error as ZMQError {
      throw CommandFailure("\(error)", exitCode: .unreachable)
    }
    front?.open(server, api, token: configuration.token)
    let base = front.map { ", HTTP at \($0.baseURL)" } ?? ""
    LogLine.write("ready: requests at \(endpoints.requests), events at \(endpoints.events)\(base)")
    var said = ["requests": endpoints.requests, "events": endpoints.events]
    said["http"] = front?.baseURL
    try ready.announce(said)
    await Cancellation.wait()
    // Its handlers ask the node, so it goes first.
    await front?.stop()
    await server.stop()
    LogLine.write("stopped")
    return .ok
  }

  private static func checkForm(_ endpoint: String, of option: Option) throws(UsageError) {
    let parts = endpoint.split(separator: ":", omittingEmptySubsequences: false)
    let isTCP =
      endpoint.hasPrefix("tcp://") && parts.count >= 3
      && (parts.last == "*" || parts.last.flatMap { UInt16($0) } != nil)
    let isPath = ["ipc://", "inproc://"].contains { endpoint.hasPrefix($0) && endpoint.count > $0.count }
    guard isTCP || isPath else {
      throw UsageError(
        "option '--\(option.long)' is '\(endpoint)': expected an endpoint such as tcp://127.0.0.1:5555, "
          + "or tcp://127.0.0.1:* for a port that the system picks")
    }
  }

  /// Until there are keys, an endpoint that other machines reach is open to all of them.
  private static func checkLoopback(_ endpoint: String) throws {
    let isLocal = ["tcp://127.", "tcp://localhost:", "tcp://[::1]:", "ipc://", "inproc://"].contains {
      endpoint.hasPrefix($0)
    }
    guard isLocal else {
      throw UsageError(
        "\(endpoint) can be reached from other machines, and whoever reaches it can act on the store: listen at 127.0.0.1, or add --insecure"
      )
    }
  }
}
