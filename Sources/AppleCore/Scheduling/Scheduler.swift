/// What runs actions, now or later.
///
/// Apple's has further requirements, for tolerances and repetitions; nothing here asks for them.
public protocol Scheduler<SchedulerTimeType> {
  associatedtype SchedulerTimeType: Strideable
  associatedtype SchedulerOptions

  var now: SchedulerTimeType { get }
  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
  func schedule(after date: SchedulerTimeType, options: SchedulerOptions?, _ action: @escaping () -> Void)
}

extension Scheduler {
  public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }

  public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
    schedule(after: date, options: nil, action)
  }
}
