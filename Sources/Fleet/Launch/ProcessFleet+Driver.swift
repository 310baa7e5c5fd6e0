package import Foundation
package import Wire

extension ProcessFleet: FleetDriver {
  /// How many clients start at a time: a start is mostly waiting, and a hundred at once would be slower for all. Those with
  /// a few devices wait longer than they work.
  private var startingAtOnce: Int { configuration.app == nil ? 4 : 16 }

  package func startClients(_ devices: [[DeviceRegistration]]) async throws {
    try await startClients(devices, started: {})
  }

  /// - Parameter started: called as each of them is ready.
  package func startClients(
    _ devices: [[DeviceRegistration]], started: @escaping @Sendable () -> Void
  ) async throws {
    try await startingMany {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, seats) in devices.enumerated() {
          if index >= startingAtOnce { try await group.next() }
          group.addTask {
            try await self.startClient(index + 1, seats)
            started()
          }
        }
        try await group.waitForAll()
      }
    }
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
    // Nobody would answer before the deadline of the question.
    if isServerDown { throw FleetError("the server does not run: it was killed by an earlier step, and not restarted") }
    return try await control().ask(request, of: address, attachments: attachments)
  }

  package nonisolated func changes() -> AsyncStream<Void> {
    // Before there is a server there are no changes either.
    (try? control())?.changes() ?? AsyncStream { $0.finish() }
  }
}
