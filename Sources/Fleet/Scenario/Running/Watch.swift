import Wire

/// Looks at a fleet again and again until what is looked for is there.
struct Watch<Look: Sendable>: Sendable {
  let view: FleetView
  /// Takes one look.
  let look: @Sendable () async -> Look
  let isGood: @Sendable (Look) -> Bool

  /// The first good look, or the last one when the time was over; nil when there was no time for any.
  ///
  /// Looks again at each change that the fleet reports, and once it is quiet; sleeps only for the deadline.
  func wait(within deadline: Duration, clock: any Clock<Duration>) async -> Look? {
    let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let changes = view.driver.changes()
    // Only the watching child has a result; the first child that ends the waiting has the others cancelled.
    return await withTaskGroup(of: Ending.self) { group in
      group.addTask { .watched(await watch(wakes)) }
      group.addTask {
        for await _ in changes { waker.yield() }
        return .other(endsWaiting: false)
      }
      group.addTask {
        // That a fleet with a broken device is never quiet is no failure of the look.
        _ = try? await view.driver.ask(Settle(), of: view.world)
        waker.yield()
        return .other(endsWaiting: false)
      }
      group.addTask {
        try? await clock.sleep(for: deadline)
        return .other(endsWaiting: true)
      }
      waker.yield()
      var found: Look?
      for await ending in group {
        switch ending {
        case .watched(let last):
          found = last
          group.cancelAll()
        case .other(true): group.cancelAll()
        case .other(false): break
        }
      }
      return found
    }
  }

  private enum Ending: Sendable {
    case watched(Look?)
    case other(endsWaiting: Bool)
  }

  /// Looks at each wake until a look is good or the task is cancelled.
  private func watch(_ wakes: AsyncStream<Void>) async -> Look? {
    var last: Look?
    for await _ in wakes {
      let found = await look()
      if isGood(found) { return found }
      // A look that was cut short says nothing.
      if !Task.isCancelled { last = found }
    }
    return last
  }
}
