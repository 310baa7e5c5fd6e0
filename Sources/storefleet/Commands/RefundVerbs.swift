import Fleet
import Shared
import Wire

/// The verbs of money that goes back.
enum RefundVerbs {
  static let all = [refund, request, decline, reverse]

  private static let reason = Option(
    "reason", value: "other|appIssue", default: "other", help: "why: an issue of the app, or anything else")
  private static let percent = Option(
    "percent", value: "N", help: "how much of the price is given back, 1 to 100; all of it without this")
  private static let product = Operand("PRODUCT", .oneAtMost, help: "the product's id; its newest transaction is meant")
  private static let options = [VerbOptions.account, VerbOptions.transaction]

  static let refund = Command(
    name: "refund", summary: "give an account its money back; also refund request, decline, reverse",
    operands: [product],
    options: options + [reason, percent] + FleetOptions.all,
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

  static let request = part("request", "ask for money back; 'refund' or 'refund decline' decides", "has asked") {
    RequestRefund(transactionId: $0, productId: $1)
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
      name: "refund \(verb)", summary: summary, operands: [product], options: options + FleetOptions.all,
      examples: [.init("storefleet refund \(verb) com.example.app.lifetime --account alice", summary)]
    ) { arguments in
      let subject = try VerbOptions.subject(arguments)
      return try await VerbOptions.tell(make(subject.transaction, subject.product), arguments, done: done)
    }
  }
}
