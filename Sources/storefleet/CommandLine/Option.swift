/// An option of a command: `--long VALUE`, `-s VALUE`, or a flag without a value.
struct Option: Hashable, Sendable {
  /// Without the dashes.
  let long: String
  /// ASCII letter or digit.
  let short: Character?
  /// What stands for the value in the help, for example `N`; nil for a flag.
  let valueName: String?
  let help: String
  /// The value when the option is not given.
  let defaultValue: String?
  /// Whether an empty value says something; elsewhere it is a variable that a script forgot to set.
  let mayBeEmpty: Bool
  /// Whether the command cannot do without it.
  let isRequired: Bool

  /// An option that takes a value.
  init(
    _ long: String, short: Character? = nil, value: String, default: String? = nil, mayBeEmpty: Bool = false,
    isRequired: Bool = false, help: String
  ) {
    self.long = long
    self.short = short
    self.valueName = value
    self.help = help
    self.defaultValue = `default`
    self.mayBeEmpty = mayBeEmpty
    self.isRequired = isRequired
  }

  /// A flag.
  init(flag long: String, short: Character? = nil, help: String) {
    self.long = long
    self.short = short
    self.valueName = nil
    self.help = help
    self.defaultValue = nil
    self.mayBeEmpty = true
    self.isRequired = false
  }

  /// Every command has it.
  static let help = Option(flag: "help", short: "h", help: "show this help")
}
