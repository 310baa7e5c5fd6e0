import Foundation
import Testing

@testable import Shared

@Suite struct HistogramTests {
  private static let thousandths: [UInt64] = [0, 1, 250, 500, 900, 990, 999, 1_000]

  /// Durations of all sizes, from 1 µs to an hour.
  private static func durations(seed: UInt64) -> [Int64] {
    var random = SplitMix64(seed: seed)
    let count = Int.random(in: 1...2_000, using: &random)
    return (0..<count).map { _ in
      Int64.random(in: 0...Int64(1) << Int64.random(in: 0...31, using: &random), using: &random)
    }
  }

  private static func histogram(_ durations: some Sequence<Int64>) -> Histogram {
    durations.reduce(into: Histogram()) { $0.record($1) }
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func percentilesAreThoseOfTheSortedValuesToATenthOfAPercent(seed: UInt64) {
    let sorted = HistogramTests.durations(seed: seed).sorted()
    let histogram = HistogramTests.histogram(sorted)
    for thousandths in HistogramTests.thousandths {
      let rank = max(1, (sorted.count * Int(thousandths) + 999) / 1_000)
      let exact = sorted[rank - 1]
      let reported = histogram.percentile(thousandths: thousandths) ?? -1
      #expect(reported >= exact)
      #expect(Double(reported) <= Double(exact) * 1.001)
    }
    #expect(histogram.maximum == sorted.last)
    #expect(histogram.count == UInt64(sorted.count))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func mergingIsRecordingEverythingInOne(seed: UInt64) {
    let durations = HistogramTests.durations(seed: seed)
    let cut = durations.count / 3
    var merged = HistogramTests.histogram(durations[..<cut])
    merged.merge(HistogramTests.histogram(durations[cut...]))
    #expect(merged == HistogramTests.histogram(durations))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func comesBackFromJSONAsItWas(seed: UInt64) throws {
    let histogram = HistogramTests.histogram(HistogramTests.durations(seed: seed))
    let json = try JSONEncoder().encode(histogram)
    #expect(try JSONDecoder().decode(Histogram.self, from: json) == histogram)
  }

  @Test func aRunOfSecondsTakesLittleRoomOnTheWire() throws {
    var random = SplitMix64(seed: 1)
    let histogram = HistogramTests.histogram((0..<2_000).map { _ in .random(in: 1_000...20_000, using: &random) })
    #expect(try JSONEncoder().encode(histogram).count < 8_192)
  }

  @Test func everyBucketBeginsWhereTheOneBeforeEnds() {
    for index in 1..<Histogram.bucketCount {
      let first = Histogram.highestValue(inBucket: index - 1) + 1
      #expect(Histogram.index(of: first) == index)
      #expect(Histogram.index(of: Histogram.highestValue(inBucket: index)) == index)
    }
  }

  @Test func nothingHasNoPercentiles() {
    #expect(Histogram().percentile(thousandths: 500) == nil)
    #expect(Histogram().isEmpty)
  }

  @Test func whatIsLongerThanAnHourCountsAndStaysTheMaximum() {
    let histogram = HistogramTests.histogram([5, Int64.max, -3])
    #expect(histogram.count == 3)
    #expect(histogram.percentile(thousandths: 300) == 0)
    #expect(histogram.percentile(thousandths: 1_000) == .max)
  }

  @Test(
    arguments: [
      // A number that does not end, a gap beyond the last bucket, a count of none, a gap without a count, a huge count.
      [0x80], [0xFF, 0xFF, 0x7F, 1], [0, 0], [3], [0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
    ] as [[UInt8]])
  func bytesThatAreNoHistogramAreRefused(bytes: [UInt8]) {
    let json = Data(#"{"maximum":1,"buckets":"\#(Data(bytes).base64EncodedString())"}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Histogram.self, from: json) }
  }
}
