import Fleet

/// What a command line says, once it is parsed against a command.
struct Arguments: Hashable, Sendable {
  /// By long name, in the order given; a flag that is given has one empty value each time.
  private let given: [String: [String]]
  /// The words that belong to no option.
  let operands: [String]

  init(given: [String: [String]], operands: [String]) {
    self.given = given
    self.operands = operands
  }

  /// Whether the option or flag was given.
  func has(_ option: Option) -> Bool { given[option.long] != nil }

  /// All values of an option that may be repeated.
  func values(_ option: Option) -> [String] {
    given[option.long] ?? option.defaultValue.map { [$0] } ?? []
  }

  /// The last value given, else the default.
  func value(_ option: Option) -> String? { values(option).last }

  /// The value of an option that the command cannot do without.
  func required(_ option: Option) throws(UsageError) -> String {
    guard let value = value(option) else { throw UsageError("option '--\(option.long)' is missing") }
    return value
  }

  /// The value as a whole number within `range`; nil when there is neither a value nor a default.
  func integer(_ option: Option, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = value(option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "option '--\(option.long)' is '\(text)': a whole number from \(range.lowerBound) to \(range.upperBound) was expected"
      )
    }
    return number
  }

  /// The value as a duration like `10s`; nil when there is neither a value nor a default.
  func duration(_ option: Option) throws(UsageError) -> Duration? {
    guard let text = value(option) else { return nil }
    do {
      return try DurationText.parse(text)
    } catch {
      throw UsageError("option '--\(option.long)': \(error.message)")
    }
  }
}
