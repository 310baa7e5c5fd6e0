import Dispatch

/// An instant of the machine's monotonic clock, as all schedulers here count it.
public struct SchedulerTime: Strideable, Hashable, Sendable {
  let nanoseconds: Int64

  static var now: SchedulerTime { SchedulerTime(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds)) }

  public func distance(to other: SchedulerTime) -> Stride {
    Stride(nanoseconds: other.nanoseconds - nanoseconds)
  }

  public func advanced(by stride: Stride) -> SchedulerTime {
    SchedulerTime(nanoseconds: nanoseconds + stride.nanoseconds)
  }

  /// How much later; a number without a unit is in seconds.
  public struct Stride: SignedNumeric, Comparable, Hashable, Sendable, ExpressibleByFloatLiteral {
    let nanoseconds: Int64

    init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public init(integerLiteral value: Int) { self = .seconds(value) }
    public init(floatLiteral value: Double) { self = .seconds(value) }
    public init?<T: BinaryInteger>(exactly source: T) {
      guard let seconds = Int(exactly: source) else { return nil }
      self = .seconds(seconds)
    }

    public static func seconds(_ seconds: Int) -> Stride { Stride(nanoseconds: Int64(seconds) * 1_000_000_000) }
    public static func seconds(_ seconds: Double) -> Stride { Stride(nanoseconds: Int64(seconds * 1e9)) }
    public static func milliseconds(_ value: Int) -> Stride { Stride(nanoseconds: Int64(value) * 1_000_000) }
    public static func microseconds(_ value: Int) -> Stride { Stride(nanoseconds: Int64(value) * 1_000) }
    public static func nanoseconds(_ value: Int) -> Stride { Stride(nanoseconds: Int64(value)) }

    public var magnitude: UInt64 { nanoseconds.magnitude }

    public static func < (left: Stride, right: Stride) -> Bool { left.nanoseconds < right.nanoseconds }
    public static func + (left: Stride, right: Stride) -> Stride {
      Stride(nanoseconds: left.nanoseconds + right.nanoseconds)
    }
    public static func - (left: Stride, right: Stride) -> Stride {
      Stride(nanoseconds: left.nanoseconds - right.nanoseconds)
    }
    public static func * (left: Stride, right: Stride) -> Stride {
      .seconds(Double(left.nanoseconds) / 1e9 * Double(right.nanoseconds) / 1e9)
    }
    public static func *= (left: inout Stride, right: Stride) { left = left * right }
  }
}
