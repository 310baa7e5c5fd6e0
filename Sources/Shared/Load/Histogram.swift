/// Counts durations in buckets whose width grows with the value, so that a fixed amount of memory holds a microsecond
/// and an hour with three significant digits: values below 2,048 µs exactly, all others to less than 0.1 %.
///
/// The layout is that of HDR histograms (http://hdrhistogram.org): each power of two is divided into 1,024 equal buckets.
package struct Histogram: Hashable, Sendable {
  /// One hour; longer durations count as this in percentiles, while `maximum` stays exact.
  package static let highest: Int64 = 3_600_000_000

  static let exactValues = 2_048
  static let bucketsPerDoubling = 1_024
  static let bucketCount = index(of: highest) + 1
  /// More than any run can record, and few enough that sums of many histograms cannot overflow.
  static let mostValues: UInt64 = 1 << 48

  private(set) var counts: [UInt64]
  package private(set) var count: UInt64 = 0
  /// The longest duration, in microseconds; 0 when there is none.
  package private(set) var maximum: Int64 = 0

  package init() { counts = [UInt64](repeating: 0, count: Histogram.bucketCount) }

  package var isEmpty: Bool { count == 0 }

  /// Counts a duration in microseconds; a negative one counts as 0.
  package mutating func record(_ microseconds: Int64) {
    add(1, toBucket: Histogram.index(of: min(max(microseconds, 0), Histogram.highest)))
    raiseMaximum(to: microseconds)
  }

  package mutating func merge(_ other: Histogram) {
    for (index, count) in other.counts.enumerated() where count > 0 { add(count, toBucket: index) }
    raiseMaximum(to: other.maximum)
  }

  /// The least duration, in microseconds, that at least so many thousandths of all are not longer than; nil when there
  /// are none. It is at most 0.1 % above the exact value, and never above `maximum`.
  package func percentile(thousandths: UInt64) -> Int64? {
    guard count > 0 else { return nil }
    let rank = max(1, (count * min(thousandths, 1_000) + 999) / 1_000)
    guard rank < count else { return maximum }
    var reached: UInt64 = 0
    for (index, count) in counts.enumerated() {
      reached += count
      if reached >= rank { return min(Histogram.highestValue(inBucket: index), maximum) }
    }
    return maximum
  }

  mutating func add(_ count: UInt64, toBucket index: Int) {
    let added = min(count, Histogram.mostValues - min(self.count, Histogram.mostValues))
    counts[index] += added
    self.count += added
  }

  mutating func raiseMaximum(to microseconds: Int64) { maximum = max(maximum, microseconds) }

  // MARK: Buckets

  static func index(of value: Int64) -> Int {
    guard value >= exactValues else { return Int(value) }
    // The eleven highest bits decide: the first is always 1 and says only which doubling it is.
    let shift = Int64.bitWidth - value.leadingZeroBitCount - 11
    return exactValues + (shift - 1) * bucketsPerDoubling + Int(value >> Int64(shift)) - bucketsPerDoubling
  }

  static func highestValue(inBucket index: Int) -> Int64 {
    guard index >= exactValues else { return Int64(index) }
    let (doubling, step) = (index - exactValues).quotientAndRemainder(dividingBy: bucketsPerDoubling)
    return (Int64(step + bucketsPerDoubling + 1) << Int64(doubling + 1)) - 1
  }
}
