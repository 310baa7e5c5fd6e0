/// Actions on the main thread, as tasks of the main actor: these keep task-locals, which name the device that a StoreKit
/// call is about, and a dispatch queue would lose them. Like a queue they run in the order in which they are given.
enum MainActions {
  static func run(_ action: @escaping () -> Void) {
    let action = Unchecked(action)
    Task { @MainActor in action.value() }
  }

  static func run(at instant: SchedulerTime, _ action: @escaping () -> Void) {
    let action = Unchecked(action)
    Task { @MainActor in
      let rest = SchedulerTime.now.distance(to: instant)
      try? await Task.sleep(for: .nanoseconds(max(rest.nanoseconds, 0)))
      action.value()
    }
  }
}
