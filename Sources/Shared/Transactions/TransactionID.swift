/// A transaction's identifier: a number on the device, a decimal string on the wire, as at Apple.
package struct TransactionID: Hashable, Sendable {
  package let rawValue: UInt64
  package init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// Reads the decimal string of the wire: digits alone. By hand, since it is read with every message and request, and
  /// the standard library's reader of all numbers and all radixes takes ten times as long.
  package init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    var value: UInt64 = 0
    for byte in text.utf8 {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, isTooLargeNow) = tens.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
      guard !isTooLarge, !isTooLargeNow else { return nil }
      value = sum
    }
    rawValue = value
  }

  package init?(_ text: some StringProtocol) { self.init(String(text)) }
}

extension TransactionID: Comparable {
  package static func < (left: TransactionID, right: TransactionID) -> Bool { left.rawValue < right.rawValue }
}

extension TransactionID: CustomStringConvertible {
  package var description: String { String(rawValue) }
}

extension TransactionID: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = TransactionID(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is not a transaction id: expected a decimal number in a string")
    }
    self = id
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension TransactionID: CodingKeyRepresentable {
  package var codingKey: any CodingKey { TransactionIDKey(stringValue: description) }
  package init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }
}

private struct TransactionIDKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
