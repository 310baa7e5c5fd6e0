import Testing

/// Waits for something in another process that sends no event; the suite's time limit ends a wait in vain.
///
/// It asks again after a millisecond: how long that is decides nothing but the test's duration.
func eventually(_ condition: () throws -> Bool) async throws {
  while true {
    if (try? condition()) == true { return }
    try await Task.sleep(for: .milliseconds(1))
  }
}
