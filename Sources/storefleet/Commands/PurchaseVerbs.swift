import Fleet
import Wire

/// The verbs that buy, and the family organiser's answers.
enum PurchaseVerbs {
  static let all = [buy, approve, decline]

  private static let on = Option("on", value: "DEVICE", help: "the device where it is tapped")
  private static let account = Option("account", value: "ACCOUNT", help: "who buys, outside of any app")
  private static let quantity = Option(
    "quantity", value: "N", default: "1", help: "how many, 1 to 10; more than one of consumables and non-renewing ones")

  static let buy = Command(
    name: "buy", summary: "tap the buy button on a device, or buy in the App Store itself",
    operands: [Operand("PRODUCT", help: "the product's id; 'storefleet products' lists them")],
    options: [on, account, quantity, VerbOptions.noWait] + FleetOptions.all,
    examples: [
      .init("storefleet buy com.example.app.coins --on device-1", "the app on device-1 buys it"),
      .init("storefleet buy com.example.app.coins --quantity 3 --on device-1", "three of them in one transaction"),
      .init("storefleet buy com.example.app.yearly --account account-2", "bought outside of any app"),
      .init(
        "storefleet buy com.example.app.coins --on device-1 --no-wait", "a tap; 'gate hold' may hold up what follows"),
    ]
  ) { arguments in
    guard arguments.has(on) != arguments.has(account) else {
      throw UsageError("say where: either --on DEVICE or --account ACCOUNT")
    }
    let count = try arguments.integer(quantity, in: 1...10) ?? 1
    return try await FleetOptions.with(arguments) { fleet in
      let product = arguments.operands[0]
      if let device = arguments.value(on) {
        let tap = TapBuy(productId: product, quantity: count, wait: !arguments.has(VerbOptions.noWait))
        let reply = try await fleet.ask(tap, of: .device, device)
        guard reply.phase == "awaitingApproval" else {
          print("\(device): \(reply.phase)\(reply.message.map { ": \($0)" } ?? "")")
          return reply.phase == "failed" ? .failed : .ok
        }
        let account = try await fleet.ask(InspectDevice(), of: .device, device).account
        let waiting = try await fleet.ask(ListPendingPurchases(), of: .account, account).purchases
        print("\(device): \(PendingText.of(waiting.last { $0.productId == product }, account))")
        return .ok
      }
      let account = try arguments.required(account)
      let reply = try await fleet.ask(Purchase(productId: product, quantity: count), of: .account, account)
      if case .pending(let id) = reply.outcome {
        let waiting = try await fleet.ask(ListPendingPurchases(), of: .account, account).purchases
        print("\(account): \(PendingText.of(waiting.first { $0.id == id }, account))")
      } else {
        print("\(account): \(reply.outcome.words(account))")
      }
      return .ok
    }
  }

  static let approve = answer(
    "approve", "approved", "let a purchase through that waits for the family organiser", approve: true)
  static let decline = answer(
    "decline", "declined", "turn down a purchase that waits for the family organiser", approve: false)

  private static func answer(_ verb: String, _ done: String, _ summary: String, approve: Bool) -> Command {
    Command(
      name: verb, summary: summary, operands: [VerbOptions.optionalProduct],
      options: [VerbOptions.account] + FleetOptions.all,
      examples: [
        .init("storefleet \(verb) --account kid", "the only request that waits"),
        .init("storefleet \(verb) com.example.app.coins --account kid", "the request for this product"),
      ]
    ) { arguments in
      try await VerbOptions.tell(
        AnswerAskToBuy(approve: approve, productId: arguments.operands.first), arguments, done: done)
    }
  }
}

extension Purchase.Reply.Outcome {
  /// - Parameter account: Whose purchase it is.
  func words(_ account: String) -> String {
    switch self {
    case .purchased(let id): "purchased, transaction \(id)"
    case .existing(let id): "owned already, transaction \(id)"
    case .pending: "pending; 'storefleet pending \(account)' says what it waits for"
    }
  }
}

/// What a purchase waits for, and what ends the wait.
enum PendingText {
  /// - Parameter entry: Nil where it waits no longer.
  static func of(_ entry: ListPendingPurchases.Entry?, _ account: String) -> String {
    switch entry?.reason {
    case .askToBuy?:
      "pending: it waits for the family organiser, that is 'storefleet approve \(entry?.productId ?? "") --account "
        + "\(account)' or 'storefleet decline …'"
    case .issue?:
      "pending: it is interrupted until 'storefleet resolve \(entry?.productId ?? "") --account \(account)'"
    case nil: "pending; 'storefleet pending \(account)' says what it waits for"
    }
  }
}
