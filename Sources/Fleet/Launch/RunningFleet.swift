package import Wire

/// A fleet that somebody else launched: found by its run folder, or by the endpoint of its server node.
package struct RunningFleet: Sendable {
  package let world: String
  /// The server node, as it introduced itself.
  package let server: Hello.Reply
  package let connection: FleetConnection
  /// The name of a fleet of this machine and the process that it lives as long as; nil for one found by its endpoint.
  package private(set) var launched: (name: String, by: ProcessIdentity)?

  /// Connects to the fleet that `fleet` names, else `STOREFLEET_FLEET`, else the only one that runs.
  ///
  /// - Parameter world: nil for the world that the fleet was launched with.
  package static func find(
    _ fleet: String?, world: String? = nil, followsEvents: Bool = false, timeout: Duration = .seconds(10)
  ) async throws -> RunningFleet {
    let folder = try RunFolder.find(fleet: fleet)
    let description = try folder.readDescription()
    guard let endpoints = description.endpoints, let world = world ?? description.world else {
      throw FleetError("fleet '\(folder.name)' is still starting: try again in a moment")
    }
    var running = try await connect(
      to: endpoints.requests, token: description.token, world: world, followsEvents: followsEvents, timeout: timeout)
    running.launched = (folder.name, description.launcher)
    return running
  }

  /// Connects to the server node that takes requests at `endpoint`, wherever it runs.
  package static func connect(
    to endpoint: String, token: String, world: String, followsEvents: Bool = false, timeout: Duration = .seconds(10)
  ) async throws -> RunningFleet {
    try NameError.check(world, "a world")
    let connection: FleetConnection
    do {
      connection = try FleetConnection(endpoint: endpoint, token: token)
    } catch {
      throw FleetError("cannot connect to '\(endpoint)': \(error)")
    }
    do {
      let server = try await connection.open(world: world, followsEvents: followsEvents, timeout: timeout)
      return RunningFleet(world: world, server: server, connection: connection)
    } catch let error as ZMQError {
      await connection.close()
      if error.code == .invalid || error.code == .unknownTransport {
        throw NameError("'\(endpoint)' is no endpoint: expected one such as tcp://127.0.0.1:5555")
      }
      throw FleetError("cannot connect to '\(endpoint)', which should be like tcp://127.0.0.1:5555: \(error)")
    } catch {
      await connection.close()
      throw error
    }
  }

  /// Returns when a fleet of this machine has ended, with its name; never for another, until the task is cancelled.
  package func end() async throws -> String {
    while true {
      if let launched, !launched.by.isRunning { return launched.name }
      // No event tells of the end of a process that is not our child; a person does not mind a second.
      try await Task.sleep(for: .seconds(1))
    }
  }

  package func address(_ kind: ActorAddress.Kind, _ key: String) throws(NameError) -> ActorAddress {
    try NameError.check(key, kind.noun)
    return ActorAddress(world: world, kind: kind, key: key)
  }

  package func ask<Message: Request>(_ message: Message, of kind: ActorAddress.Kind, _ key: String) async throws
    -> Message.Reply
  {
    try await connection.ask(message, of: try address(kind, key))
  }

  package func askWorld<Message: Request>(_ message: Message) async throws -> Message.Reply {
    try await ask(message, of: .world, world)
  }
}
