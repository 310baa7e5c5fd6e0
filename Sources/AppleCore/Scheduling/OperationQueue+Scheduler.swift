public import Foundation

extension OperationQueue: Scheduler {
  public typealias SchedulerTimeType = SchedulerTime

  public struct SchedulerOptions {}

  public var now: SchedulerTime { .now }

  private var isMain: Bool { self === OperationQueue.main }

  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    if isMain { return MainActions.run(action) }
    let action = Unchecked(action)
    addOperation { action.value() }
  }

  public func schedule(after date: SchedulerTime, options: SchedulerOptions?, _ action: @escaping () -> Void) {
    if isMain { return MainActions.run(at: date, action) }
    let action = Unchecked(action)
    let deadline = DispatchTime(uptimeNanoseconds: UInt64(max(date.nanoseconds, 0)))
    DispatchQueue.global().asyncAfter(deadline: deadline) { self.addOperation { action.value() } }
  }
}
