/// Prices in thousandths of the currency unit, as signed transactions carry them: 0.99 is 990.
package enum Milliunits {
  /// A thousand billion units: small enough to stay exact in every JSON reader.
  package static let maximum: Int64 = 1_000_000_000_000_000

  /// Reads a decimal such as `0.99`, `12.00` or `1500`, exactly.
  ///
  /// Only digits and one point with digits on both sides: no sign, exponent, white space, grouping or comma, since each
  /// of them reads differently somewhere. Nil as well when thousandths cannot hold it, or above ``maximum``.
  package static func parse(_ text: some StringProtocol) -> Int64? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigit) }) else {
      return nil
    }
    let fraction = parts.count == 2 ? Array(parts[1]) : []
    guard fraction.dropFirst(3).allSatisfy({ $0 == UInt8(ascii: "0") }) else { return nil }
    let padding = Array(repeating: UInt8(ascii: "0"), count: 3 - fraction.prefix(3).count)
    var result: Int64 = 0
    for digit in Array(parts[0]) + fraction.prefix(3) + padding {
      result = result * 10 + Int64(digit - UInt8(ascii: "0"))
      guard result <= maximum else { return nil }
    }
    return result
  }

  /// Prints a price with at least `fractionDigits` digits behind the point, and more where the amount needs them.
  package static func text(_ milliunits: Int64, fractionDigits: Int = 2) -> String {
    let amount = milliunits.magnitude
    let thousandths = String(amount % 1000)
    var fraction = String(repeating: "0", count: 3 - thousandths.count) + thousandths
    while fraction.count > fractionDigits, fraction.last == "0" { fraction.removeLast() }
    let whole = (milliunits < 0 ? "-" : "") + String(amount / 1000)
    return fraction.isEmpty ? whole : whole + "." + fraction
  }
}
