import Fleet
import Wire

/// Asks a world what may take long, for as long as the server node lives: a clock jump over years, the wait for quiet.
enum PatientAsk {
  private static let interval = Duration.seconds(5)
  /// A node that does not answer a simple question for so long is not there.
  private static let patience = Duration.seconds(20)

  /// - Parameter progress: What to say on standard error each time that there is still no answer; nil for nothing.
  static func ask<R: Request>(
    _ request: R, of fleet: RunningFleet, progress: @escaping @Sendable (RunningFleet) async throws -> String?
  ) async throws -> R.Reply where R.Reply: Sendable {
    let world = try fleet.address(.world, fleet.world)
    return try await withThrowingTaskGroup(of: R.Reply?.self) { group in
      group.addTask { try await fleet.connection.ask(request, of: world, timeout: .seconds(7 * 86_400)) }
      group.addTask {
        while true {
          try await Task.sleep(for: interval)
          _ = try await fleet.connection.ask(DescribeWorld(), of: world, timeout: patience)
          if let line = try await progress(fleet) { StandardError.print(line) }
        }
      }
      defer { group.cancelAll() }
      while let reply = try await group.next() {
        if let reply { return reply }
      }
      throw CancellationError()
    }
  }
}
