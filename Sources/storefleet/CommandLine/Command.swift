/// One command of the command line, declared in full: parsing and help follow from it.
struct Command: Sendable {
  struct Example: Hashable, Sendable {
    let commandLine: String
    let explanation: String

    init(_ commandLine: String, _ explanation: String) {
      self.commandLine = commandLine
      self.explanation = explanation
    }
  }

  /// One word, or two for a command of a group, for example `catalog check`.
  let name: String
  /// One line, for the list of commands.
  let summary: String
  let operands: [Operand]
  let options: [Option]
  let examples: [Example]
  /// Throws `UsageError` for values that make no sense, `CommandFailure` for what could not be done.
  let run: @Sendable (Arguments) async throws -> ExitCode

  init(
    name: String, summary: String, operands: [Operand] = [], options: [Option] = [], examples: [Example],
    run: @escaping @Sendable (Arguments) async throws -> ExitCode
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.options = options + [.help]
    self.examples = examples
    self.run = run
  }

  var words: [String] { name.split(separator: " ").map(String.init) }

  var usage: String {
    let required = options.filter(\.isRequired).map { "--\($0.long) \($0.valueName ?? "")" }
    let optional = options.count > required.count + 1 ? ["[OPTIONS]"] : []
    return (["storefleet", name] + required + optional + operands.map(\.usage)).joined(separator: " ")
  }
}
