import Fleet
import Foundation
import Wire

/// What every command that speaks with a running fleet shares.
enum FleetOptions {
  static let fleet = Option(
    "fleet", value: "NAME", help: "the fleet's name or run folder; else STOREFLEET_FLEET, else the only one that runs")
  static let connect = Option(
    "connect", value: "ENDPOINT",
    help: "the server node's endpoint, wherever it runs, instead of a fleet of this machine; else STOREFLEET_CONNECT")
  static let world = Option("world", value: "NAME", help: "the world; else the fleet's own, or 'main'")
  static let token = Option(
    "token", value: "TEXT", mayBeEmpty: true,
    help: "with an endpoint, the fleet's token; also read from STOREFLEET_TOKEN")
  static let json = Option(flag: "json", help: "print JSON")

  /// All that say which fleet is meant.
  static let all = [fleet, connect, world, token]

  /// Connects, runs `body`, and lets go. What the store or a fleet refuses becomes one sentence.
  static func with(
    _ arguments: Arguments, followsEvents: Bool = false, timeout: Duration = .seconds(10),
    _ body: (RunningFleet) async throws -> ExitCode
  ) async throws -> ExitCode {
    do {
      let fleet = try await connect(arguments, followsEvents, timeout)
      do {
        let code = try await body(fleet)
        await fleet.connection.close()
        return code
      } catch {
        await fleet.connection.close()
        throw error
      }
    } catch let error as WireError {
      throw CommandFailure(error.message, exitCode: error.isAboutTheFleet ? .unreachable : .failed)
    } catch let error as FleetError {
      throw CommandFailure(error.message, exitCode: .unreachable)
    }
  }

  private static func connect(
    _ arguments: Arguments, _ followsEvents: Bool, _ timeout: Duration
  ) async throws -> RunningFleet {
    let environment = ProcessInfo.processInfo.environment
    if arguments.has(connect), arguments.has(fleet) {
      throw UsageError("say either --connect ENDPOINT or --fleet NAME: each names a fleet")
    }
    if let endpoint = arguments.value(connect) { try check(endpoint: endpoint) }
    // What is typed counts more than what the environment says.
    let inherited = arguments.has(fleet) ? nil : environment["STOREFLEET_CONNECT"].flatMap { $0.isEmpty ? nil : $0 }
    guard let endpoint = arguments.value(connect) ?? inherited else {
      return try await RunningFleet.find(
        arguments.value(fleet), world: arguments.value(world), followsEvents: followsEvents, timeout: timeout)
    }
    return try await RunningFleet.connect(
      to: endpoint, token: arguments.value(token) ?? environment["STOREFLEET_TOKEN"] ?? "",
      world: arguments.value(world) ?? "main", followsEvents: followsEvents, timeout: timeout)
  }

  /// Of `--connect`.
  static func check(endpoint: String) throws(UsageError) {
    let parts = endpoint.split(separator: ":", omittingEmptySubsequences: false)
    let isTCP = endpoint.hasPrefix("tcp://") && parts.count >= 3 && parts.last.flatMap { UInt16($0) } != nil
    let isPath = ["ipc://", "inproc://"].contains { endpoint.hasPrefix($0) && endpoint.count > $0.count }
    guard isTCP || isPath else {
      throw UsageError("option '--connect' is '\(endpoint)': expected an endpoint such as tcp://127.0.0.1:5555")
    }
  }

  static func print(json value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    FileHandle.standardOutput.write(try encoder.encode(value) + Data("\n".utf8))
  }
}

extension WireError {
  /// Whether the fleet could not be reached or could not answer, rather than said no.
  var isAboutTheFleet: Bool {
    switch code {
    case .deadlineExceeded, .unavailable, .overloaded, .unauthorized, .helloFirst, .internalError: true
    default: false
    }
  }
}
