public import Dispatch

extension DispatchQueue: Scheduler {
  public typealias SchedulerTimeType = SchedulerTime

  public struct SchedulerOptions {
    public var qos: DispatchQoS
    public init(qos: DispatchQoS = .unspecified) { self.qos = qos }
  }

  public var now: SchedulerTime { .now }

  // On Linux each use of `DispatchQueue.main` gives another object.
  private var isMain: Bool { label == DispatchQueue.main.label }

  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    if isMain { return MainActions.run(action) }
    let action = Unchecked(action)
    async(qos: options?.qos ?? .unspecified) { action.value() }
  }

  public func schedule(after date: SchedulerTime, options: SchedulerOptions?, _ action: @escaping () -> Void) {
    if isMain { return MainActions.run(at: date, action) }
    let action = Unchecked(action)
    let deadline = DispatchTime(uptimeNanoseconds: UInt64(max(date.nanoseconds, 0)))
    asyncAfter(deadline: deadline, qos: options?.qos ?? .unspecified) { action.value() }
  }
}
