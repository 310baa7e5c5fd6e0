import Fleet
import Testing

@testable import storefleet

struct CommandLineToolTests {
  private let tool = CommandLineTool(commands: [
    Command(
      name: "run", summary: "run a scenario", operands: [Operand("SCENARIO", help: "the file to run")],
      options: [Option("devices", short: "n", value: "N", default: "2", help: "how many")],
      examples: [.init("storefleet run demo.json5", "plays the demo")]
    ) { arguments in
      switch arguments.operands[0] {
      case "good": .ok
      case "bad": throw CommandFailure("the demo failed")
      case "cancelled": throw CancellationError()
      case "lost": throw RunFolderError(.notFound, "no fleet is running")
      case "odd": throw UsageError("odd is no scenario")
      default: .failed
      }
    },
    Command(name: "catalog check", summary: "check a catalogue", examples: []) { _ in .ok },
    Command(name: "catalog show", summary: "show a catalogue", examples: []) { _ in .ok },
  ])

  @Test(arguments: [
    ("good", ExitCode.ok), ("bad", .failed), ("cancelled", .interrupted), ("lost", .unreachable), ("odd", .usage),
    ("other", .failed),
  ])
  func outcomeDecidesTheExitCode(operand: String, code: ExitCode) async {
    #expect(await tool.run(["run", operand]) == code)
  }

  @Test func exitCodesAreThoseOfTheManual() {
    #expect([ExitCode.ok, .failed, .usage, .unreachable, .interrupted].map(\.rawValue) == [0, 1, 2, 3, 130])
  }

  @Test func commandOfAGroupIsFoundByItsTwoWords() throws {
    guard case .run(let command, _) = tool.request(["catalog", "check"]) else {
      Issue.record("catalog check was not found")
      return
    }
    #expect(command.name == "catalog check")
  }

  @Test(
    arguments: [
      (["rnu"], "unknown command 'rnu': did you mean 'run'?", nil),
      (["frobnicate"], "unknown command 'frobnicate'", nil),
      (["--frobnicate"], "unknown option '--frobnicate'", nil),
      (["run", "--bad"], "unknown option '--bad'", "run"),
      (["catalog"], "catalog needs one of: check, show", "catalog"),
      (["catalog", "chekc"], "unknown command 'catalog chekc': did you mean 'check'?", "catalog"),
      (["help", "nothing"], "unknown command 'nothing'", nil),
    ] as [([String], String, String?)])
  func mistakeIsOneSentenceAndNamesTheHelpToRead(words: [String], sentence: String, command: String?) {
    guard case .refuse(let error, let hinted) = tool.request(words) else {
      Issue.record("\(words) was accepted")
      return
    }
    #expect(error.message == sentence)
    #expect(hinted == command)
  }

  @Test(arguments: [["run", "--help"], ["run", "-h"], ["run", "a", "b", "--help"], ["help", "run"]])
  func helpOfACommandShowsAllThatIsDeclared(words: [String]) {
    #expect(
      shown(words) == """
        Run a scenario.

        Usage: storefleet run [OPTIONS] SCENARIO

        Arguments:
          SCENARIO  the file to run

        Options:
          -n, --devices N  how many (default: 2)
          -h, --help       show this help

        Examples:
          storefleet run demo.json5
              plays the demo

        """)
  }

  @Test(arguments: [[], ["--help"], ["-h"], ["help"]])
  func overviewListsEveryCommand(words: [String]) throws {
    let text = try #require(shown(words))
    for command in tool.commands { #expect(text.contains("\(command.name)  ")) }
  }

  @Test(arguments: [["catalog", "--help"], ["catalog", "-h"], ["help", "catalog"]])
  func helpOfAGroupListsItsCommands(words: [String]) throws {
    let text = try #require(shown(words))
    #expect(text.contains("catalog check") && text.contains("catalog show"))
    #expect(!text.contains("run a scenario"))
  }

  /// What getopt and the help rely on, for every command that exists.
  @Test(arguments: Commands.all)
  func everyCommandIsDeclaredSoundly(command: Command) {
    let shorts = command.options.compactMap(\.short)
    #expect(Set(shorts).count == shorts.count, "two options share a letter")
    #expect(shorts.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
    #expect(Set(command.options.map(\.long)).count == command.options.count, "two options share a name")
    #expect(!command.examples.isEmpty, "every command shows how it is used")
    #expect(command.examples.allSatisfy { $0.commandLine.contains("storefleet \(command.name)") })
  }

  private func shown(_ words: [String]) -> String? {
    guard case .show(let text) = tool.request(words) else { return nil }
    return text
  }
}
