import Fleet
import Shared
import Wire

/// The verbs of money that goes back.
enum RefundVerbs {
  static let all = [refund, request, consumption, decline, reverse]

  private static let reason = Option(
    "reason", value: "other|appIssue", default: "other", help: "why: an issue of the app, or anything else")
  private static let percent = Option(
    "percent", value: "N", help: "how much of the price is given back, 1 to 100; all of it without this")
  private static let product = Operand("PRODUCT", .oneAtMost, help: "the product's id; its newest transaction is meant")
  private static let options = [VerbOptions.account, VerbOptions.transaction]

  static let refund = Command(
    name: "refund", summary: "give an account its money back; also refund request, consumption, decline, reverse",
    operands: [product],
    options: options + [reason, percent, FleetOptions.json] + FleetOptions.all,
    examples: [
      .init("storefleet refund com.example.app.lifetime --account alice", "takes the access away everywhere"),
      .init("storefleet refund com.example.app.yearly --account alice --percent 40", "a part of the price"),
      .init("storefleet refund --transaction 2000000001000001 --account alice", "this very purchase"),
    ]
  ) { arguments in
    let subject = try VerbOptions.subject(arguments)
    let reasons = ["other", "appIssue"]
    let word = try arguments.required(reason)
    guard let number = reasons.firstIndex(of: word) else {
      throw UsageError("option '--reason' is '\(word)': other or appIssue was expected")
    }
    let share = try arguments.integer(percent, in: 1...100)
    let request = Refund(
      transactionId: subject.transaction, productId: subject.product, reason: number,
      percentage: share.map { Int64($0) * 1_000 })
    return try await VerbOptions.tell(request, arguments, done: share.map { "refunded \($0) %" } ?? "refunded")
  }

  private static let requestReason = Option(
    "reason", value: "WORD", default: ConsumptionRequestReason.other.word,
    help: ConsumptionRequestReason.words.joined(separator: ", "))

  static let request = Command(
    name: "refund request", summary: "ask for money back; 'refund', 'refund decline' or the backend decides",
    operands: [product], options: options + [requestReason, FleetOptions.json] + FleetOptions.all,
    examples: [
      .init("storefleet refund request com.example.app.lifetime --account alice", "as a customer does"),
      .init(
        "storefleet refund request com.example.app.coins --reason fulfillmentIssue --account alice",
        "the backend has 12 hours of store time for 'refund consumption'"),
    ]
  ) { arguments in
    let subject = try VerbOptions.subject(arguments)
    let word = try arguments.required(requestReason)
    guard let reason = ConsumptionRequestReason(word: word) else {
      throw UsageError(
        "option '--reason' is '\(word)': expected \(ConsumptionRequestReason.words.joined(separator: ", "))")
    }
    let request = RequestRefund(transactionId: subject.transaction, productId: subject.product, reason: reason)
    return try await VerbOptions.tell(request, arguments, done: "has asked")
  }

  // MARK: Consumption information

  private static let used = Option("percent", value: "N", help: "how much was used, 0 to 100")
  private static let prefer = Option(
    "prefer", value: "decline|full|prorated", help: "what the store is to decide, at once; without it nothing")
  private static let delivery = Option(
    "delivery", value: "STATUS", default: "DELIVERED",
    help: "one of:\n" + ConsumptionRequestV2.deliveryStatuses.map { "          \($0)" }.joined(separator: "\n"))
  private static let preferences = ["decline": "DECLINE", "full": "GRANT_FULL", "prorated": "GRANT_PRORATED"]

  static let consumption = Command(
    name: "refund consumption", summary: "tell the store, as the backend does, what a customer used of a purchase",
    operands: [product], options: options + [used, prefer, delivery, FleetOptions.json] + FleetOptions.all,
    examples: [
      .init(
        "storefleet refund consumption com.example.app.coins --percent 40 --prefer prorated --account alice",
        "60 % of the price go back"),
      .init("storefleet refund consumption com.example.app.coins --prefer decline --account alice", "no money back"),
    ]
  ) { arguments in
    let subject = try VerbOptions.subject(arguments)
    let account = try arguments.required(VerbOptions.account)
    let percent = try arguments.integer(used, in: 0...100)
    var preference: String?
    if let word = arguments.value(prefer) {
      guard let found = preferences[word] else {
        throw UsageError("option '--prefer' is '\(word)': expected decline, full or prorated")
      }
      preference = found
    }
    let information = ConsumptionInformation.v2(
      ConsumptionRequestV2(
        deliveryStatus: try arguments.required(delivery), consumptionPercentage: percent.map { Int64($0) * 1_000 },
        refundPreference: preference))
    return try await FleetOptions.with(arguments) { fleet in
      let product = subject.product ?? ""
      var transaction = subject.transaction
      if transaction == nil {
        transaction = AccountHistory(try await fleet.journal(of: account)).openRefund(of: product)
      }
      guard let transaction else {
        throw CommandFailure(
          "\(account) does not ask for money back for '\(product)': 'storefleet refund request' asks for it")
      }
      let request = SendConsumptionInformation(transactionId: transaction, information: information)
      let position = try await fleet.ask(request, of: .account, account)
      try VerbOptions.tell(position, account, done: "the store knows what was used of \(transaction)", arguments)
      return .ok
    }
  }

  static let decline = part("decline", "give no money back to a customer who asked for it", "refund declined") {
    DeclineRefund(transactionId: $0, productId: $1)
  }
  static let reverse = part("reverse", "take a refund back; the access returns", "refund reversed") {
    ReverseRefund(transactionId: $0, productId: $1)
  }

  private static func part<R: Request & Sendable>(
    _ verb: String, _ summary: String, _ done: String, _ make: @escaping @Sendable (TransactionID?, String?) -> R
  ) -> Command where R.Reply == AccountPosition {
    Command(
      name: "refund \(verb)", summary: summary, operands: [product],
      options: options + [FleetOptions.json] + FleetOptions.all,
      examples: [.init("storefleet refund \(verb) com.example.app.lifetime --account alice", summary)]
    ) { arguments in
      let subject = try VerbOptions.subject(arguments)
      return try await VerbOptions.tell(make(subject.transaction, subject.product), arguments, done: done)
    }
  }
}
