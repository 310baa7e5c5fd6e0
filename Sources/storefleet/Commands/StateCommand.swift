import Fleet
import Foundation
import Shared
import Wire

/// `storefleet state`: brings an account into a state that scenarios can begin with, by ordinary commands.
enum StateCommand {
  private static let kinds = ScenarioState.Kind.allCases.filter { $0 != .memberOf }
  private static let left = Option("left", value: "DURATION", help: "with trial: how much of it is left")
  private static let ago = Option("ago", value: "DURATION", help: "with owns, lapsed, refunded: since when it is so")
  private static let since = Option("for", value: "DURATION", help: "with grace, retry: since when it is so")

  static let command = Command(
    name: "state", summary: "bring an account into a state; moves the manual clock forward to get there",
    operands: [
      Operand("ACCOUNT", help: "the account's name"),
      Operand("STATE", help: kinds.map(\.rawValue).joined(separator: ", ")),
      Operand("PRODUCT", help: "the product's id"),
    ],
    options: [left, ago, since] + FleetOptions.all,
    examples: [
      .init("storefleet state alice trial com.example.app.yearly --left 5m", "a trial that ends in five minutes"),
      .init("storefleet state alice lapsed com.example.app.monthly --ago 40d", "paid once, and left 40 days ago"),
      .init("storefleet state alice grace com.example.app.monthly --for 2d", "could not be charged two days ago"),
    ]
  ) { arguments in
    let (account, productId) = (arguments.operands[0], arguments.operands[2])
    let (kind, time) = try state(arguments)
    return try await FleetOptions.with(arguments) { fleet in
      let world = try await fleet.askWorld(DescribeWorld())
      guard case .manual = world.clock else {
        throw CommandFailure("a state needs a manual clock: start the fleet with --clock manual")
      }
      let catalog = try? Catalog(data: Data(world.catalog.utf8), file: "the world's catalogue")
      guard let product = catalog?.product(productId) else {
        throw CommandFailure("the world does not sell '\(productId)': 'storefleet products' lists what it sells")
      }
      // Everything that stands in the way is found before anything is bought and before the clock moves.
      let past = AccountHistory(try await fleet.journal(of: account))
      var isEligible = true
      if let group = product.subscription?.groupID {
        isEligible =
          try await fleet.ask(GetIntroEligibility(groups: [group]), of: .account, account).eligible[group] ?? true
      }
      let journey: StateJourney
      do throws(ImpossibleState) {
        journey = try StateJourney(
          kind, time, account: account, product: product, timeRate: world.timeRate, gracePeriod: world.gracePeriod,
          history: past, isEligibleForIntroOffer: isEligible, from: world.now)
      } catch {
        throw CommandFailure(error.message)
      }
      for command in journey.commands {
        _ = try await fleet.askWorld(AdvanceClock(.to(command.at)))
        try await command.play(on: try fleet.address(.account, command.account), asking: fleet.connection)
      }
      let now = try await fleet.askWorld(AdvanceClock(.to(journey.end))).now
      let entries = try await fleet.journal(of: account)
      if let shortfall = kind.shortfall(of: productId, in: AccountHistory(entries)) {
        throw CommandFailure("\(account) \(shortfall)")
      }
      let truth = JournalTruth(entries: entries, now: now).products.first { $0.productId == productId }
      print("\(account): \(productId): \(truth?.why ?? kind.rawValue). The clock stands at \(now).")
      return .ok
    }
  }

  private static func state(_ arguments: Arguments) throws(UsageError) -> (ScenarioState.Kind, Duration) {
    let word = arguments.operands[1]
    guard let kind = kinds.first(where: { $0.rawValue == word }) else {
      let names = kinds.map(\.rawValue)
      let advice =
        Spelling.closest(to: word, among: names).map { "did you mean '\($0)'?" }
        ?? "expected \(names.joined(separator: ", "))"
      throw UsageError("there is no state '\(word)': \(advice)")
    }
    for option in [left, ago, since] where arguments.has(option) && option.long != kind.timeKey {
      throw UsageError("'--\(option.long)' does not go with \(word): use '--\(kind.timeKey ?? "")'")
    }
    guard let option = [left, ago, since].first(where: { $0.long == kind.timeKey }) else { return (kind, .zero) }
    if kind.needsTime { _ = try arguments.required(option) }
    return (kind, try arguments.duration(option) ?? .zero)
  }
}
