/// Runs a reading again and again, one at a time.
///
/// Readings that overlap could end in another order than they began, and the older one's answer would stay. Calls that
/// come while one reading runs share the next.
@MainActor package final class SerialReading {
  private struct Turn {
    let number: Int
    let task: Task<Void, Never>
  }

  private var newest: Turn?
  private var lastBegun = 0

  package init() {}

  /// Returns after a reading that began after the call.
  package func run(_ reading: @escaping @MainActor () async -> Void) async {
    await nextTurn(reading).value
  }

  private func nextTurn(_ reading: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
    if let newest, newest.number > lastBegun { return newest.task }
    let before = newest?.task
    let number = lastBegun + 1
    let task = Task {
      await before?.value
      lastBegun = number
      await reading()
    }
    newest = Turn(number: number, task: task)
    return task
  }
}
