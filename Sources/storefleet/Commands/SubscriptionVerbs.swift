import Fleet
import Shared
import Wire

/// The verbs of a subscription's life: what its customer decides about it.
enum SubscriptionVerbs {
  static let all = [cancel, resume, changePlan] + BillingVerbs.all

  static let cancel = autoRenew(
    "cancel", "will not renew", "switch a subscription's auto-renew off; it runs to its end", on: false)
  static let resume = autoRenew("resume", "will renew", "switch a subscription's auto-renew on again", on: true)

  private static func autoRenew(_ verb: String, _ done: String, _ summary: String, on: Bool) -> Command {
    Command(
      name: verb, summary: summary,
      operands: [Operand("PRODUCT", .oneAtMost, help: "the plan's id; not needed for an only subscription")],
      options: [VerbOptions.account] + FleetOptions.all,
      examples: [
        .init("storefleet \(verb) --account alice", "the only subscription of alice"),
        .init("storefleet \(verb) com.example.app.yearly --account alice", "this one"),
      ]
    ) { arguments in
      let account = try arguments.required(VerbOptions.account)
      return try await FleetOptions.with(arguments) { fleet in
        let product = try await subscription(arguments.operands.first, of: account, in: fleet)
        let position = try await fleet.ask(SetAutoRenew(productId: product, on: on), of: .account, account)
        print("\(account): \(product) \(done) (event \(position.sequence))")
        return .ok
      }
    }
  }

  static let changePlan = Command(
    name: "change-plan", summary: "change to another plan of the group, in the App Store's settings",
    operands: [Operand("PRODUCT", help: "the plan to change to")], options: [VerbOptions.account] + FleetOptions.all,
    examples: [
      .init(
        "storefleet change-plan com.example.app.monthly --account alice",
        "an upgrade counts at once, a downgrade from the next renewal on")
    ]
  ) { arguments in
    let account = try arguments.required(VerbOptions.account)
    return try await FleetOptions.with(arguments) { fleet in
      let product = arguments.operands[0]
      let catalog = try await fleet.askWorld(GetProducts(ids: [product])).products
      guard let group = catalog.first?.subscription?.groupID else {
        throw CommandFailure("the world sells no subscription '\(product)': 'storefleet products' lists what it sells")
      }
      let history = AccountHistory(try await fleet.journal(of: account))
      guard history.running.contains(where: { $0.subscriptionGroupIdentifier == group }) else {
        throw CommandFailure("\(account) has no plan of the group of '\(product)' to change from: buy it instead")
      }
      let reply = try await fleet.ask(Purchase(productId: product), of: .account, account)
      let current = AccountHistory(try await fleet.journal(of: account)).running.first {
        $0.subscriptionGroupIdentifier == group
      }
      if let current, current.productId != product, current.autoRenewProductId == product {
        print("\(account): \(product) from the next renewal on, \(current.renewalDate)")
      } else {
        print("\(account): \(reply.outcome.words(account))")
      }
      return .ok
    }
  }

  /// The product that was said, else that of the account's only subscription.
  static func subscription(_ said: String?, of account: String, in fleet: RunningFleet) async throws -> String {
    if let said { return said }
    let running = AccountHistory(try await fleet.journal(of: account)).running
    guard let only = running.first else { throw CommandFailure("\(account) has no subscription that runs") }
    guard running.count == 1 else {
      let names = running.map(\.productId).sorted().joined(separator: ", ")
      throw CommandFailure("\(account) has \(running.count) subscriptions, so say which: \(names)")
    }
    return only.productId
  }
}
