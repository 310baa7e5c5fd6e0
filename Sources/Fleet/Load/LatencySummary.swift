package import Shared

/// The percentiles of a histogram that people look at, in microseconds.
package struct LatencySummary: Codable, Hashable, Sendable {
  package enum Point: String, Hashable, Sendable, CaseIterable {
    case p50, p90, p99
    case p999 = "p99.9"
    case max
  }

  package var count: UInt64
  package var p50: Int64?
  package var p90: Int64?
  package var p99: Int64?
  package var p999: Int64?
  package var max: Int64?

  private enum CodingKeys: String, CodingKey {
    case count
    case p50 = "p50Microseconds"
    case p90 = "p90Microseconds"
    case p99 = "p99Microseconds"
    case p999 = "p99.9Microseconds"
    case max = "maxMicroseconds"
  }

  package init(_ histogram: Histogram) {
    count = histogram.count
    p50 = histogram.percentile(thousandths: 500)
    p90 = histogram.percentile(thousandths: 900)
    p99 = histogram.percentile(thousandths: 990)
    p999 = histogram.percentile(thousandths: 999)
    max = histogram.isEmpty ? nil : histogram.maximum
  }

  package subscript(_ point: Point) -> Int64? {
    switch point {
    case .p50: p50
    case .p90: p90
    case .p99: p99
    case .p999: p999
    case .max: max
    }
  }
}
