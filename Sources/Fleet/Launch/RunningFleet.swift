package import Wire

/// A fleet that somebody else launched, found by its run folder.
package struct RunningFleet: Sendable {
  package let folder: RunFolder
  package let world: String
  package let connection: FleetConnection

  /// Connects to the fleet that `fleet` names, else `STOREFLEET_FLEET`, else the only one that runs.
  package static func find(_ fleet: String?, followsEvents: Bool = false) async throws -> RunningFleet {
    let folder = try RunFolder.find(fleet: fleet)
    let description = try folder.readDescription()
    guard let endpoints = description.endpoints, let world = description.world else {
      throw FleetError("fleet '\(folder.name)' is still starting: try again in a moment")
    }
    let connection = try FleetConnection(endpoint: endpoints.requests, token: description.token)
    try await connection.open(world: world, followsEvents: followsEvents)
    return RunningFleet(folder: folder, world: world, connection: connection)
  }

  package func address(_ kind: ActorAddress.Kind, _ key: String) throws(FleetError) -> ActorAddress {
    guard ActorAddress.isName(key) else {
      throw FleetError("'\(key)' is no name: expected 1 to 128 of A-Z a-z 0-9 . _ - + @")
    }
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
