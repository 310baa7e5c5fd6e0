package import Wire

/// How long messages take, as people write it: `300ms`, or two durations between which it varies, `200ms-800ms`.
package enum LatencyText {
  package static func parse(_ text: String) throws(DurationText.Malformed) -> NetworkFaults.Latency {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard (1...2).contains(parts.count) else {
      throw DurationText.Malformed(message: "'\(text)' is no latency: write one like 300ms or 200ms-800ms")
    }
    let from = try milliseconds(parts[0])
    let to = try milliseconds(parts[parts.count - 1])
    guard from <= to else {
      throw DurationText.Malformed(message: "'\(text)' begins with the longer time: write the shorter one first")
    }
    guard to <= NetworkFaults.longestLatency else {
      throw DurationText.Malformed(message: "'\(text)' is too long: 10m at most")
    }
    return NetworkFaults.Latency(from: from, to: to)
  }

  private static func milliseconds(_ text: String) throws(DurationText.Malformed) -> Int {
    let (seconds, attoseconds) = try DurationText.parse(text).components
    // More than fits is too long in any case.
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
    return overflow ? Int.max : Int(product) + Int(attoseconds / 1_000_000_000_000_000)
  }
}
