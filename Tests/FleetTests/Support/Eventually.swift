import Testing

/// Waits for something in another process that sends no event; the suite's time limit ends a wait in vain.
///
/// It asks again at once: how long that takes decides nothing but the test's duration.
func eventually(_ condition: () throws -> Bool) async throws {
  while true {
    if (try? condition()) == true { return }
    try Task.checkCancellation()
    await Task.yield()
  }
}
