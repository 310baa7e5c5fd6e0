/// Runs everything at once, where it is asked.
public struct ImmediateScheduler: Scheduler, Sendable {
  public typealias SchedulerTimeType = SchedulerTime
  public typealias SchedulerOptions = Never

  public static let shared = ImmediateScheduler()

  public var now: SchedulerTime { .now }

  public func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

  public func schedule(after date: SchedulerTime, options: Never?, _ action: @escaping () -> Void) { action() }
}
