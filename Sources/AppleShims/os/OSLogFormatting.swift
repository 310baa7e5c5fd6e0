import Foundation

/// How a number without a fraction is written.
public struct OSLogIntegerFormatting: Sendable {
  var radix = 10
  var prefix = ""
  var uppercase = false
  var minDigits = 0
  var hasSign = false

  public static let decimal = OSLogIntegerFormatting()
  public static let hex = OSLogIntegerFormatting(radix: 16)
  public static let octal = OSLogIntegerFormatting(radix: 8)

  public static func decimal(explicitPositiveSign: Bool = false, minDigits: Int = 0) -> OSLogIntegerFormatting {
    OSLogIntegerFormatting(minDigits: minDigits, hasSign: explicitPositiveSign)
  }

  public static func hex(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int = 0
  ) -> OSLogIntegerFormatting {
    OSLogIntegerFormatting(
      radix: 16, prefix: includePrefix ? "0x" : "", uppercase: uppercase, minDigits: minDigits,
      hasSign: explicitPositiveSign)
  }

  func text<T: BinaryInteger>(of value: T) -> String {
    let digits = String(value.magnitude, radix: radix, uppercase: uppercase)
    let zeros = String(repeating: "0", count: max(minDigits - digits.count, 0))
    return (value < 0 ? "-" : hasSign ? "+" : "") + prefix + zeros + digits
  }
}

/// How a number with a fraction is written.
public struct OSLogFloatFormatting: Sendable {
  var precision: Int?
  var conversion = "f"

  public static let fixed = OSLogFloatFormatting(precision: 6)
  public static let exponential = OSLogFloatFormatting(precision: 6, conversion: "e")
  public static let hybrid = OSLogFloatFormatting(conversion: "g")

  public static func fixed(precision: Int, explicitPositiveSign: Bool = false) -> OSLogFloatFormatting {
    OSLogFloatFormatting(precision: precision)
  }

  func text(of value: Double) -> String {
    String(format: precision.map { "%.\($0)\(conversion)" } ?? "%\(conversion)", value)
  }
}

/// How wide a value is at least.
public struct OSLogStringAlignment: Sendable {
  var columns = 0
  var isRight = true

  public static let none = OSLogStringAlignment()
  public static func left(columns: Int) -> OSLogStringAlignment { .init(columns: columns, isRight: false) }
  public static func right(columns: Int) -> OSLogStringAlignment { .init(columns: columns) }

  func applied(to text: String) -> String {
    let spaces = String(repeating: " ", count: max(columns - text.count, 0))
    return isRight ? spaces + text : text + spaces
  }
}
