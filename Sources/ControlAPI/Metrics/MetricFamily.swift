/// A metric and its samples, in the words of Prometheus.
package struct MetricFamily: Hashable, Sendable {
  package enum Kind: String, Sendable {
    case counter, gauge, histogram
  }

  package struct Sample: Hashable, Sendable {
    /// `_bucket`, `_sum` or `_count` of a histogram; else empty.
    var suffix: String
    var labels: [Label]
    var value: Double

    package init(_ value: Double, _ labels: [Label] = [], suffix: String = "") {
      self.suffix = suffix
      self.labels = labels
      self.value = value
    }
  }

  package struct Label: Hashable, Sendable {
    var name: String
    var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Prometheus: Metric and label naming. A counter's ends in `_total`, and the unit comes before that.
  package let name: String
  package let kind: Kind
  package let help: String
  package private(set) var samples: [Sample]

  package init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample] = []) {
    self.name = name
    self.kind = kind
    self.help = help
    self.samples = samples
  }

  package static func counter(_ name: String, _ help: String, _ value: Double) -> MetricFamily {
    MetricFamily(name, .counter, help, [Sample(value)])
  }

  package static func gauge(_ name: String, _ help: String, _ value: Double) -> MetricFamily {
    MetricFamily(name, .gauge, help, [Sample(value)])
  }

  package mutating func add(_ value: Double, _ labels: [Label]) { samples.append(Sample(value, labels)) }

  /// Adds one histogram.
  ///
  /// - Parameters:
  ///   - bounds: The upper bounds of the buckets, ascending.
  ///   - counts: How many fell into each bucket alone, and one more for what is above all bounds.
  package mutating func add(bounds: [Double], counts: [UInt64], sum: Double, _ labels: [Label] = []) {
    var total: UInt64 = 0
    for (place, count) in counts.enumerated() {
      total += count
      let bound = place < bounds.count ? PrometheusText.number(bounds[place]) : "+Inf"
      samples.append(Sample(Double(total), labels + [Label("le", bound)], suffix: "_bucket"))
    }
    samples.append(Sample(sum, labels, suffix: "_sum"))
    samples.append(Sample(Double(total), labels, suffix: "_count"))
  }
}
