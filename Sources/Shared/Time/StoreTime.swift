package import Foundation

/// An instant on a world's clock: milliseconds since 1970, as on the App Store's wire.
package struct StoreTime: Hashable, Sendable {
  package var milliseconds: Int64
  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package init(_ date: Date) {
    // A date can lie outside what Int64 milliseconds hold; clamp, so that no input traps.
    let value = (date.timeIntervalSince1970 * 1000).rounded()
    milliseconds = value >= 9.0e18 ? .max : value <= -9.0e18 ? .min : Int64(value)
  }

  package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

  /// `milliseconds` later; at the end of time it stays there.
  package func advanced(by milliseconds: Int64) -> StoreTime {
    let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
    return StoreTime(milliseconds: overflow ? (milliseconds > 0 ? .max : .min) : sum)
  }
}

extension StoreTime: Comparable {
  package static func < (left: StoreTime, right: StoreTime) -> Bool { left.milliseconds < right.milliseconds }
}

extension StoreTime: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do { milliseconds = try container.decode(Int64.self) } catch {
      guard decoder.userInfo[SignedPayload.takesFractions] != nil, let value = try? container.decode(Double.self),
        let whole = Int64(exactly: value.rounded(.down))
      else { throw error }
      milliseconds = whole
    }
  }
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }
}

extension StoreTime: CustomStringConvertible {
  /// ISO 8601 in UTC.
  package var description: String { date.formatted(.iso8601) }
}
