import Testing

@testable import storefleet

struct ArgumentParserTests {
  private static let devices = Option("devices", short: "n", value: "N", default: "1", help: "how many")
  private static let delay = Option("delay", value: "DURATION", help: "how long")
  private static let set = Option("set", value: "NAME=VALUE", mayBeEmpty: true, help: "sets a variable")
  private static let quiet = Option(flag: "quiet", short: "q", help: "says less")
  private static let verbose = Option(flag: "verbose", short: "v", help: "says more")

  private let parser = ArgumentParser(
    command: Command(
      name: "run", summary: "run a scenario",
      operands: [Operand("SCENARIO", help: "the file to run"), Operand("SEED", .oneAtMost, help: "where to start")],
      options: [devices, delay, set, quiet, verbose], examples: []
    ) { _ in .ok })

  @Test(arguments: [
    ["--devices", "3", "a.json5"], ["--devices=3", "a.json5"], ["a.json5", "--devices", "3"], ["-n", "3", "a.json5"],
    ["-n3", "a.json5"], ["--dev", "3", "a.json5"], ["-n3", "--", "a.json5"], ["--devices=9", "-n3", "a.json5"],
  ])
  func everySpellingOfAnOptionIsUnderstood(words: [String]) throws {
    let arguments = try parser.parse(words)
    #expect(try arguments.integer(Self.devices, in: 1...10) == 3)
    #expect(arguments.operands == ["a.json5"])
  }

  @Test func optionThatIsNotGivenHasItsDefault() throws {
    let arguments = try parser.parse(["a"])
    #expect(try arguments.integer(Self.devices, in: 1...10) == 1)
    #expect(!arguments.has(Self.devices))
    #expect(arguments.value(Self.delay) == nil)
    #expect(try arguments.duration(Self.delay) == nil)
    #expect(!arguments.has(Self.quiet))
  }

  @Test func flagsStandAloneOrTogether() throws {
    for words in [["-qv", "a"], ["-q", "a", "-v"], ["--quiet", "--verbose", "a"]] {
      let arguments = try parser.parse(words)
      #expect(arguments.has(Self.quiet))
      #expect(arguments.has(Self.verbose))
    }
  }

  @Test func repeatedOptionKeepsAllItsValuesInOrder() throws {
    #expect(try parser.parse(["--set", "a=1", "x", "--set", "b=2", "--set="]).values(Self.set) == ["a=1", "b=2", ""])
  }

  @Test func doubleDashEndsTheOptions() throws {
    #expect(try parser.parse(["-q", "--", "--devices", "-v"]).operands == ["--devices", "-v"])
  }

  @Test func wordsBeyondASCIIAreKept() throws {
    let arguments = try parser.parse(["--set", "name=Zoë 👪", "día.json5"])
    #expect(arguments.value(Self.set) == "name=Zoë 👪")
    #expect(arguments.operands == ["día.json5"])
  }

  @Test(arguments: [
    (["a", "--devcies", "3"], "unknown option '--devcies': did you mean '--devices'?"),
    (["a", "--frobnicate=3"], "unknown option '--frobnicate'"),
    (["a", "--de"], "option '--de' could be --devices or --delay"),
    (["a", "-x"], "unknown option '-x'"),
    (["a", "-qx"], "unknown option '-x'"),
    (["a", "-ü"], "unknown option: only ASCII letters can follow a single dash"),
    (["a", "--devices"], "option '--devices' needs a value: --devices N"),
    (["a", "-n"], "option '--devices' needs a value: --devices N"),
    (["a", "--quiet=yes"], "option '--quiet' takes no value"),
    (["a", "--delay", ""], "option '--delay' is empty: --delay DURATION"),
    (["a", "--delay="], "option '--delay' is empty: --delay DURATION"),
    ([""], "SCENARIO is empty: the file to run"),
    (["a", ""], "SEED is empty: where to start"),
    (["-5d"], "unknown option '-5'"),
    (["a", "b", "c"], "unexpected argument 'c'"),
    ([], "SCENARIO is missing: the file to run"),
    (["a\0b"], "an argument contains a zero byte"),
  ])
  func mistakeIsOneClearSentence(words: [String], sentence: String) {
    #expect(throws: UsageError(sentence)) { try parser.parse(words) }
  }

  @Test func valueOfTheWrongKindIsOneClearSentence() throws {
    for (text, sentence) in [
      ("many", "option '--devices' is 'many': a whole number from 1 to 10 was expected"),
      ("11", "option '--devices' is '11': a whole number from 1 to 10 was expected"),
      (
        "99999999999999999999", "option '--devices' is '99999999999999999999': a whole number from 1 to 10 was expected"
      ),
    ] {
      let arguments = try parser.parse(["a", "--devices", text])
      #expect(throws: UsageError(sentence)) { try arguments.integer(Self.devices, in: 1...10) }
    }
    let arguments = try parser.parse(["a", "--delay", "5"])
    #expect(
      throws: UsageError(
        "option '--delay': '5' has a number without a unit: write a duration like 250ms, 10s, 2h30m or 3d")
    ) { try arguments.duration(Self.delay) }
    #expect(throws: UsageError("option '--set' is missing")) { try arguments.required(Self.set) }
  }

  @Test func durationIsRead() throws {
    #expect(try parser.parse(["a", "--delay", "2h30m"]).duration(Self.delay) == .seconds(9_000))
  }

  @Test func helpAsksForNothingElse() throws {
    #expect(try parser.parse(["--help"]).has(.help))
    #expect(try parser.parse(["-h"]).has(.help))
  }

  /// getopt keeps where it is in globals; a parse that gave up half-way must not disturb the next.
  @Test func parsesDoNotDisturbEachOther() async throws {
    await withTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          if number.isMultiple(of: 3) {
            #expect(throws: UsageError("unknown option '-x'")) { try parser.parse(["-qxv", "--set=\(number)", "a"]) }
          } else {
            let arguments = try? parser.parse(["a", "--set", "\(number)", "-qv"])
            #expect(arguments?.value(Self.set) == "\(number)")
            #expect(arguments?.operands == ["a"])
          }
        }
      }
    }
  }
}
