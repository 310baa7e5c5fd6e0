/// The help pages, written from the declarations of the commands.
enum HelpText {
  static let hint = "'storefleet COMMAND --help' explains a command."

  /// The first page: all commands.
  static func overview(of commands: [Command]) -> String {
    """
    Storefleet: an App Store in a box.

    Usage: storefleet COMMAND [OPTIONS] [ARGUMENTS]

    Commands:
    \(columns(commands.map { ($0.name, $0.summary) }))

    \(hint)

    Exit codes: 0 ok; 1 refused, an expectation or check failed, nothing was due, or the input is bad; 2 the command line is
    wrong; 3 a fleet could not be started or reached; 130 interrupted.

    """
  }

  /// The commands of a group, for example `catalog`.
  static func group(_ name: String, of commands: [Command]) -> String {
    """
    Usage: storefleet \(name) COMMAND [OPTIONS] [ARGUMENTS]

    Commands:
    \(columns(commands.map { ($0.name, $0.summary) }))

    \(hint)

    """
  }

  static func page(of command: Command) -> String {
    var sections = [
      "\(command.summary.prefix(1).uppercased())\(command.summary.dropFirst()).", "Usage: \(command.usage)",
    ]
    if !command.operands.isEmpty {
      sections.append("Arguments:\n" + columns(command.operands.map { ($0.name, $0.help) }))
    }
    sections.append("Options:\n" + columns(command.options.map { (spelling(of: $0), explanation(of: $0)) }))
    if !command.examples.isEmpty {
      let examples = command.examples.map { "  \($0.commandLine)\n      \($0.explanation)" }
      sections.append("Examples:\n" + examples.joined(separator: "\n"))
    }
    return sections.joined(separator: "\n\n") + "\n"
  }

  private static func spelling(of option: Option) -> String {
    let short = option.short.map { "-\($0), " } ?? "    "
    return short + "--\(option.long)" + (option.valueName.map { " \($0)" } ?? "")
  }

  private static func explanation(of option: Option) -> String {
    option.help + (option.isRequired ? " (required)" : "") + (option.defaultValue.map { " (default: \($0))" } ?? "")
  }

  private static func columns(_ rows: [(String, String)]) -> String {
    let width = rows.map { $0.0.count }.max() ?? 0
    return rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)" }
      .joined(separator: "\n")
  }
}
