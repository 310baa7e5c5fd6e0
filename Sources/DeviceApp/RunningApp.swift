import Observation
import Synchronization

/// One launch of an app on one device.
@MainActor final class RunningApp<App: DeviceApp> {
  let app: App
  let daemon: ObservedDaemon
  private let onChange: @Sendable () -> Void
  /// Whether the next change will be told. One registration at a time: each reading would otherwise leave one behind
  /// on an app that never changes.
  private let isWatched = Atomic(false)

  init(app: App, daemon: ObservedDaemon, onChange: @escaping @Sendable () -> Void) {
    self.app = app
    self.daemon = daemon
    self.onChange = onChange
  }

  /// What the app shows; after this, the next change is told once.
  func readScreen() -> DeviceScreen {
    guard !isWatched.exchange(true, ordering: .sequentiallyConsistent) else { return app.screen }
    return withObservationTracking {
      app.screen
    } onChange: { [weak self, onChange] in
      self?.isWatched.store(false, ordering: .sequentiallyConsistent)
      onChange()
    }
  }
}
