/// How long things took, in a few buckets with fixed bounds, as Prometheus sums them up.
package struct LatencyHistogram: Hashable, Sendable {
  /// The upper bounds of the buckets, in seconds; one more has no bound.
  package static let bounds: [Double] = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]

  /// How many fell into each bucket, the unbounded one last.
  package private(set) var counts = [UInt64](repeating: 0, count: LatencyHistogram.bounds.count + 1)
  /// Of all of them, in seconds.
  package private(set) var sum = 0.0

  package init() {}

  package mutating func add(_ duration: Duration) {
    let seconds = duration / .seconds(1)
    counts[LatencyHistogram.bounds.firstIndex { seconds <= $0 } ?? LatencyHistogram.bounds.count] += 1
    sum += seconds
  }
}
