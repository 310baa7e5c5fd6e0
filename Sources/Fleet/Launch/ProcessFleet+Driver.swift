package import Foundation
package import Wire

extension ProcessFleet: FleetDriver {
  package func startClients(_ devices: [[DeviceRegistration]]) async throws {
    for (index, seats) in devices.enumerated() { try await startClient(index + 1, seats) }
  }

  package func server(_ verb: ScenarioAction.ProcessVerb) async throws {
    await killServer()
    if verb == .restart { try await startServer() }
  }

  package func client(_ number: Int, _ verb: ScenarioAction.ProcessVerb) async throws {
    switch verb {
    case .kill: await killClient(number)
    case .restart: try await restartClient(number)
    }
  }

  package func ask<R: Request>(
    _ request: R, of address: ActorAddress, attachments: [Data]
  ) async throws -> R.Reply {
    try await control().ask(request, of: address, attachments: attachments)
  }

  package nonisolated func changes() -> AsyncStream<Void> {
    // Before there is a server there are no changes either.
    (try? control())?.changes() ?? AsyncStream { $0.finish() }
  }
}
