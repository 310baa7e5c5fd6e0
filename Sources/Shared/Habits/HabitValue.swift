/// The value of one habit: on or off, or a number.
package enum HabitValue: Hashable, Sendable {
  case flag(Bool)
  case number(Int64)
}

extension HabitValue: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Int64.self) {
      self = .number(number)
    } else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a habit is true, false or a whole number")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .flag(let flag): try container.encode(flag)
    case .number(let number): try container.encode(number)
    }
  }
}

extension HabitValue: CustomStringConvertible {
  /// As the command line reads it.
  package var description: String {
    switch self {
    case .flag(let flag): flag ? "on" : "off"
    case .number(let number): String(number)
    }
  }
}
