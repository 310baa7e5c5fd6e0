import Foundation

/// Travels as the longest duration and, in one block of bytes, pairs of LEB128 numbers: how many empty buckets come
/// first, and the count of the next. A run of seconds needs a few hundred bytes.
extension Histogram: Codable {
  private enum Key: String, CodingKey {
    case maximum, buckets
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(maximum, forKey: .maximum)
    var bytes: [UInt8] = []
    var empty: UInt64 = 0
    for count in counts {
      if count == 0 {
        empty += 1
      } else {
        Histogram.append(empty, to: &bytes)
        Histogram.append(count, to: &bytes)
        empty = 0
      }
    }
    try container.encode(Data(bytes), forKey: .buckets)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    var rest = [UInt8](try container.decode(Data.self, forKey: .buckets))[...]
    let maximum = try container.decode(Int64.self, forKey: .maximum)
    self.init()
    var next: UInt64 = 0
    while !rest.isEmpty {
      guard let empty = Histogram.take(from: &rest), let count = Histogram.take(from: &rest),
        empty < UInt64(Histogram.bucketCount) - next, count > 0, count <= Histogram.mostValues
      else {
        throw DecodingError.dataCorruptedError(
          forKey: .buckets, in: container, debugDescription: "not pairs of a gap and a count within the histogram")
      }
      next += empty
      add(count, toBucket: Int(next))
      next += 1
      guard next < Histogram.bucketCount || rest.isEmpty else {
        throw DecodingError.dataCorruptedError(
          forKey: .buckets, in: container, debugDescription: "more buckets than a histogram has")
      }
    }
    raiseMaximum(to: maximum)
  }

  private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(value))
  }

  /// Nil for a number that does not end, or has more than 63 bits.
  private static func take(from bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 63, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }
}
