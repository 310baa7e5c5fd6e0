/// A length of time of one unit, such as one month or two weeks, written as in ISO 8601: `P1M`, `P2W`.
package struct SubscriptionPeriod: Sendable, Hashable {
  /// Raw values are the letters of ISO 8601.
  package enum Unit: Character, Sendable, Hashable, CaseIterable {
    case day = "D"
    case week = "W"
    case month = "M"
    case year = "Y"
  }

  /// The counts a period may have: calendar sums on them cannot overflow.
  package static let values = 1...999

  package let unit: Unit
  package let value: Int

  /// Nil when `value` is outside ``values``.
  package init?(_ value: Int, _ unit: Unit) {
    guard SubscriptionPeriod.values.contains(value) else { return nil }
    self.unit = unit
    self.value = value
  }

  /// Reads exactly what ``description`` prints: `P`, a count without leading zeros, one of `D W M Y`.
  package init?(_ text: some StringProtocol) {
    guard text.first == "P", let unit = text.last.flatMap(Unit.init(rawValue:)) else { return nil }
    let digits = text.dropFirst().dropLast()
    guard (1...3).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isDigit), digits.first != "0",
      let value = Int(digits)
    else { return nil }
    self.init(value, unit)
  }
}

extension SubscriptionPeriod: CustomStringConvertible {
  package var description: String { "P\(value)\(unit.rawValue)" }
}

extension SubscriptionPeriod: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let period = SubscriptionPeriod(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is not a period such as P1M")
    }
    self = period
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
