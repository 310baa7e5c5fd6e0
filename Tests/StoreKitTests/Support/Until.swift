import Observation

/// Returns when a condition on `@Observable` state holds.
@MainActor func until(_ condition: @MainActor () -> Bool) async {
  while true {
    let once = Once()
    await withCheckedContinuation { continuation in
      once.continuation = continuation
      let isTrue = withObservationTracking(condition) { Task { @MainActor in once.resume() } }
      if isTrue { once.resume() }
    }
    if condition() { return }
  }
}

@MainActor private final class Once {
  var continuation: CheckedContinuation<Void, Never>?
  func resume() {
    continuation?.resume()
    continuation = nil
  }
}
