public import Foundation

extension RunLoop: Scheduler {
  public typealias SchedulerTimeType = SchedulerTime

  public struct SchedulerOptions {}

  public var now: SchedulerTime { .now }

  // The main run loop need not run in a process without a screen; the main actor always does.
  private var isMain: Bool { self === RunLoop.main }

  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    if isMain { return MainActions.run(action) }
    let action = Unchecked(action)
    perform { action.value() }
  }

  public func schedule(after date: SchedulerTime, options: SchedulerOptions?, _ action: @escaping () -> Void) {
    if isMain { return MainActions.run(at: date, action) }
    let action = Unchecked(action)
    let delay = Double(SchedulerTime.now.distance(to: date).nanoseconds) / 1e9
    add(Timer(timeInterval: max(delay, 0), repeats: false) { _ in action.value() }, forMode: .default)
  }
}
