import Testing

@testable import storefleet

struct CommandsTests {
  private static let tool = CommandLineTool(commands: Commands.all)

  @Test func everyExampleIsACommandLineThatIsUnderstood() {
    for command in Commands.all {
      for example in command.examples {
        // What follows belongs to the shell.
        let line = example.commandLine.split { "|&>;".contains($0) }[0]
        let words = line.split(separator: " ").map(String.init)
        #expect(words.first == "storefleet", "\(example.commandLine)")
        if case .refuse(let error, _) = Self.tool.request(Array(words.dropFirst())) {
          Issue.record("\(example.commandLine): \(error.message)")
        }
      }
    }
  }

  @Test func everyCommandHasAnExampleAndANameOfItsOwn() {
    #expect(Commands.all.allSatisfy { !$0.examples.isEmpty })
    #expect(Set(Commands.all.map(\.name)).count == Commands.all.count)
  }

  @Test func commandOfTwoWordsIsMeantBeforeTheOneOfOne() {
    guard case .run(let command, let arguments) = Self.tool.request(["refund", "request", "coins", "--account", "a"])
    else {
      Issue.record("refund request was not found")
      return
    }
    #expect(command.name == "refund request")
    #expect(arguments.operands == ["coins"])
  }

  @Test func productThatIsNotSoldIsRefusedBeforeLoadIsStarted() async {
    guard case .run(let command, let arguments) = Self.tool.request(["load", "--product", "nope"]) else {
      Issue.record("load was not understood")
      return
    }
    let error = await #expect(throws: CommandFailure.self) { try await command.run(arguments) }
    #expect(error?.exitCode == .failed)
    #expect(error?.message.hasPrefix("the built-in catalogue has no product 'nope': expected com.example.app.") == true)
  }

  @Test(
    arguments: [
      (["cancel"], "option '--account' is missing"),
      (["refund", "--account", "a"], "say what: either a PRODUCT or --transaction ID"),
      (["refund", "coins", "--transaction", "5", "--account", "a"], "say what: either a PRODUCT or --transaction ID"),
      (
        ["refund", "coins", "--account", "a", "--reason", "mood"],
        "option '--reason' is 'mood': other or appIssue was expected"
      ),
      (["extend", "--account", "a"], "option '--days' is missing"),
      (
        ["price-increase", "request", "--account", "a", "--price", "much"],
        "option '--price' is 'much': a price such as 6.99 was expected"
      ),
      (
        ["clock", "to", "tomorrow"],
        "the clock cannot move to 'tomorrow': write an instant in UTC like 2026-01-01T00:00:00Z, or a day like 2026-01-01"
      ),
      (["notifications", "fault", "drp", "--next", "1"], "there is no fault 'drp': did you mean 'drop'?"),
      (["notifications", "fault", "drop"], "say either --next N or --percent P"),
      (["notifications", "fault", "delay", "--next", "1"], "say --by DURATION with 'delay', and with nothing else"),
      (
        ["notifications", "url", "http://a/", "--sandbox", "--production"],
        "say either --sandbox or --production: each has a URL of its own"
      ),
      (["gate", "hold", "purchas", "d"], "there is no gate 'purchas': did you mean 'purchase'?"),
      (
        ["gate", "release", "products", "d", "--cancel"],
        "nobody can cancel what waits at 'products': leave out --cancel"
      ),
      (
        ["fail", "d", "purchase", "networkErorr"],
        "purchase does not fail with 'networkErorr': did you mean 'networkError'?"
      ),
      (["fail", "d", "purchases", "networkError"], "nothing is called 'purchases': did you mean 'purchase'?"),
      (["fail", "d", "purchase", "unknown", "--code", "-5"], "only a networkError has a --code"),
      (["device", "purchases", "no", "d"], "'no' is neither 'on' nor 'off'"),
      (["interrupt", "on", "--account", "a", "--device", "d"], "say either --account or --device, not both"),
      (
        ["net", "set", "d"],
        "say what is bad about it, for example --latency 300ms; 'net clear' makes it good again"
      ),
      (
        ["net", "set", "d", "--latency", "800ms-200ms"],
        "option '--latency': '800ms-200ms' begins with the longer time: write the shorter one first"
      ),
      (["net", "set", "d", "--block", "all"], "option '--block' is 'all': events or requests was expected"),
      (
        ["net", "clear", "d", "--node", "client-1"],
        "a network is that of devices or of a client node: say either DEVICE or --node"
      ),
      (["habits", "coldStartEmty", "on"], "there is no habit 'coldStartEmty': did you mean 'coldStartEmpty'?"),
      (["habits", "lateListing", "on"], "habit 'lateListing' is 'on': expected a whole number, 0 to 900000"),
      (
        ["habits", "coldStartEmpty=on,field"],
        "the profile 'field' replaces every habit: put it first, and single habits behind it"
      ),
      (["up", "--habits", "feild"], "--habits: there is no habit or profile 'feild': did you mean 'field'?"),
      (["redeem", "p", "--account", "a"], "say what: either --code CODE or --offer NAME"),
      (
        ["device", "message", "biling", "d"],
        "no message has the reason 'biling': expected generic, priceIncreaseConsent, billingIssue, winBackOffer"
      ),
      (
        ["buy", "p", "--on", "d", "--quantity", "11"],
        "option '--quantity' is '11': a whole number from 1 to 10 was expected"
      ),
      (
        ["client", "--connect", "junk", "--device", "a=b"],
        "option '--connect' is 'junk': expected an endpoint such as tcp://127.0.0.1:5555"
      ),
      (["family", "create", "f", "a", "b", "b"], "'b' is named twice: name each account once"),
      (["redeem", "p", "--code", "c"], "option '--account' is missing"),
      (["token", "set", "--account", "a", "--user", "u"], "say what: either a PRODUCT or --transaction ID"),
      (["token", "set", "p", "--account", "a"], "option '--user' is missing"),
      (
        ["refund", "request", "p", "--account", "a", "--reason", "mood"],
        "option '--reason' is 'mood': expected unintendedPurchase, fulfillmentIssue, unsatisfiedWithPurchase, legal, other"
      ),
      (
        ["refund", "consumption", "p", "--account", "a", "--prefer", "more"],
        "option '--prefer' is 'more': expected decline, full or prorated"
      ),
      (
        ["refund", "consumption", "p", "--account", "a", "--percent", "101"],
        "option '--percent' is '101': a whole number from 0 to 100 was expected"
      ),
      (["family", "purchase-sharing", "smith", "maybe"], "purchase sharing is 'on' or 'off', not 'maybe'"),
      (["up", "--claim-policy", "mine"], "option '--claim-policy' is 'mine': expected keep, transfer, share"),
      (["up", "--family-grant-delay", "8d"], "option '--family-grant-delay' is '8d': expected 7d at most"),
      (
        ["server", "--listen", "garbage"],
        "option '--listen' is 'garbage': expected an endpoint such as tcp://127.0.0.1:5555, "
          + "or tcp://127.0.0.1:* for a port that the system picks"
      ),
      (
        ["server", "--events", "tcp://127.0.0.1:port"],
        "option '--events' is 'tcp://127.0.0.1:port': expected an endpoint such as tcp://127.0.0.1:5555, "
          + "or tcp://127.0.0.1:* for a port that the system picks"
      ),
      (["clock", "rate", "testFligt"], "there is no rate 'testFligt': did you mean 'testFlight'?"),
    ] as [([String], String)])
  func mistakeOfTheLineIsFoundBeforeAFleetIsAsked(words: [String], message: String) async {
    guard case .run(let command, let arguments) = Self.tool.request(words) else {
      Issue.record("\(words) was not understood")
      return
    }
    let error = await #expect(throws: UsageError.self) { try await command.run(arguments) }
    #expect(error?.message == message)
  }

  @Test(
    arguments: [
      (["clock", "advance", "-5d"], "'-5d' is negative: time only goes forward"),
      (["clock", "to", "-1"], "'-1' is negative: time only goes forward"),
      (["device", "skew", "d", "-2h"], "'-2h' is negative: say '--behind' for a clock that is behind"),
      (["buy", "p", "--on", ""], "option '--on' is empty: --on DEVICE"),
      (["server", "--data", ""], "option '--data' is empty: --data FOLDER"),
    ] as [([String], String)])
  func wordThatIsNoneIsRefusedAtOnce(words: [String], message: String) {
    guard case .refuse(let error, _) = Self.tool.request(words) else {
      Issue.record("\(words) was understood")
      return
    }
    #expect(error.message == message)
  }

  /// What is not in the brackets has to be said.
  @Test func usageShowsWhatACommandCannotDoWithout() {
    let usages = Dictionary(uniqueKeysWithValues: Commands.all.map { ($0.name, $0.usage) })
    #expect(usages["cancel"] == "storefleet cancel --account ACCOUNT [OPTIONS] [PRODUCT]")
    #expect(usages["extend"] == "storefleet extend --account ACCOUNT --days N [OPTIONS] [PRODUCT]")
    #expect(usages["buy"] == "storefleet buy [OPTIONS] PRODUCT")
    #expect(usages["version"] == "storefleet version")
  }
}
