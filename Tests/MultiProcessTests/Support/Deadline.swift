/// How long a test waits for what should come at once: a busy machine may be slow, a hang is found all the same.
let patience = Duration.seconds(60)

/// Something that did not happen in time.
struct Overdue: Error, CustomStringConvertible {
  var description: String
}

/// Runs `body`, and throws when it takes longer than a test waits.
func inTime<Result: Sendable>(
  _ what: @autoclosure @escaping @Sendable () -> String, _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  try await withThrowingTaskGroup(of: Result.self) { group in
    group.addTask { try await body() }
    group.addTask {
      try await Task.sleep(for: patience)
      throw Overdue(description: "not within \(patience): \(what())")
    }
    defer { group.cancelAll() }
    guard let result = try await group.next() else { throw CancellationError() }
    return result
  }
}
