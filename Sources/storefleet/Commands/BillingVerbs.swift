import Fleet
import Shared
import Wire

/// The verbs of what the store and the developer do to a subscription: charge it, raise its price, extend it.
enum BillingVerbs {
  static let all = [fail, recover, raise, agree, decline, extend]

  private static let plan = Operand("PRODUCT", .oneAtMost, help: "the plan; every subscription without it")

  static let fail = bill("fail", "renewals fail", "make the renewals of an account fail, as an expired card does", true)
  static let recover = bill("recover", "renewals succeed", "let the store charge an account again", false)

  private static func bill(_ verb: String, _ done: String, _ summary: String, _ fails: Bool) -> Command {
    Command(
      name: "bill \(verb)", summary: summary, operands: [plan], options: [VerbOptions.account] + FleetOptions.all,
      examples: [.init("storefleet bill \(verb) --account alice", summary)]
    ) { arguments in
      try await VerbOptions.tell(
        SetBilling(productId: arguments.operands.first, fails: fails), arguments, done: done)
    }
  }

  // MARK: The price

  private static let price = Option(
    "price", value: "PRICE", isRequired: true, help: "the new price of a period, such as 6.99")
  private static let consent = Option(
    flag: "consent", help: "the customer is asked, and without a yes it ends; without this the price just goes up")

  static let raise = Command(
    name: "price-increase request", summary: "raise a subscription's price with its next renewal",
    operands: [Operand("PRODUCT", .oneAtMost, help: "the plan; not needed for an only subscription")],
    options: [VerbOptions.account, price, consent] + FleetOptions.all,
    examples: [
      .init(
        "storefleet price-increase request --price 6.99 --consent --account alice",
        "alice sees a sheet and answers with 'price-increase agree' or 'decline'")
    ]
  ) { arguments in
    let account = try arguments.required(VerbOptions.account)
    let text = try arguments.required(price)
    guard let milliunits = Milliunits.parse(text) else {
      throw UsageError("option '--price' is '\(text)': a price such as 6.99 was expected")
    }
    return try await FleetOptions.with(arguments) { fleet in
      let product = try await SubscriptionVerbs.subscription(arguments.operands.first, of: account, in: fleet)
      let request = RequestPriceIncrease(
        productId: product, priceMilliunits: milliunits, needsConsent: arguments.has(consent))
      let position = try await fleet.ask(request, of: .account, account)
      let what =
        arguments.has(consent)
        ? "is asked to agree to \(text) for \(product); without a yes before the next renewal, it ends then"
        : "\(product) costs \(text) from the next renewal on"
      print("\(account): \(what) (event \(position.sequence))")
      return .ok
    }
  }

  static let agree = answer("agree", "agreed to the new price", "agree to a higher price", agrees: true)
  static let decline = answer(
    "decline", "did not agree, so it will not renew", "do not agree to a higher price; the subscription ends",
    agrees: false)

  private static func answer(_ verb: String, _ done: String, _ summary: String, agrees: Bool) -> Command {
    Command(
      name: "price-increase \(verb)", summary: summary, operands: [VerbOptions.optionalProduct],
      options: [VerbOptions.account] + FleetOptions.all,
      examples: [.init("storefleet price-increase \(verb) --account alice", "the only one that waits for an answer")]
    ) { arguments in
      try await VerbOptions.tell(
        AnswerPriceIncrease(productId: arguments.operands.first, agree: agrees), arguments, done: done)
    }
  }

  // MARK: Extensions

  private static let days = Option("days", value: "N", isRequired: true, help: "how many days, 1 to 90")
  private static let reason = Option(
    "reason", value: "WORD", default: "undeclared", help: "undeclared, customerSatisfaction, other or outage")
  /// In the order of Apple's extendReasonCode.
  private static let reasons = ["undeclared", "customerSatisfaction", "other", "outage"]

  static let extend = Command(
    name: "extend", summary: "move a subscription's next renewal into the future, for free",
    operands: [Operand("PRODUCT", .oneAtMost, help: "the plan; not needed for an only subscription")],
    options: [VerbOptions.account, days, reason] + FleetOptions.all,
    examples: [.init("storefleet extend --days 30 --reason outage --account alice", "a month as an apology")]
  ) { arguments in
    let account = try arguments.required(VerbOptions.account)
    _ = try arguments.required(days)
    let count = try arguments.integer(days, in: ExtendSubscription.daysAllowed) ?? 0
    let word = try arguments.required(reason)
    guard let code = reasons.firstIndex(of: word) else {
      throw UsageError("option '--reason' is '\(word)': expected \(reasons.joined(separator: ", "))")
    }
    return try await FleetOptions.with(arguments) { fleet in
      let product = try await SubscriptionVerbs.subscription(arguments.operands.first, of: account, in: fleet)
      let request = ExtendSubscription(productId: product, days: count, reason: code)
      let position = try await fleet.ask(request, of: .account, account)
      print("\(account): \(product) extended by \(counted(count, "day")) (event \(position.sequence))")
      return .ok
    }
  }
}
