import Foundation
package import Wire

/// A running fleet, as a scenario needs it: processes to start and end, actors to ask, and word of what changes.
///
/// Every call ends soon after its task is cancelled.
package protocol FleetDriver: ActorAsker {
  /// Starts client processes, numbered from 1, each with the devices that live in it; their apps do not run yet.
  func startClients(_ devices: [[DeviceRegistration]]) async throws

  /// Kills the server process, or starts it again with what its disk holds.
  func server(_ verb: ScenarioAction.ProcessVerb) async throws

  /// Kills a client process, or starts it again with its devices; their apps do not run then.
  func client(_ number: Int, _ verb: ScenarioAction.ProcessVerb) async throws

  /// An element after each change that a device, an account, a family or a user reports, from now on. Several changes
  /// may come as one element; none is lost before an iterator exists.
  func changes() -> AsyncStream<Void>
}

extension ActorAsker {
  package func ask<R: Request>(_ request: R, of address: ActorAddress) async throws -> R.Reply {
    try await ask(request, of: address, attachments: [])
  }
}
