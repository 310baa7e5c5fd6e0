import Fleet
import Wire

/// The verbs that buy, and the family organiser's answers.
enum PurchaseVerbs {
  static let all = [buy, approve, decline]

  private static let on = Option("on", value: "DEVICE", help: "the device where it is tapped")
  private static let account = Option("account", value: "ACCOUNT", help: "who buys, outside of any app")

  static let buy = Command(
    name: "buy", summary: "tap the buy button on a device, or buy in the App Store itself",
    operands: [Operand("PRODUCT", help: "the product's id; 'storefleet products' lists them")],
    options: [on, account, VerbOptions.noWait] + FleetOptions.all,
    examples: [
      .init("storefleet buy com.example.app.coins --on device-1", "the app on device-1 buys it"),
      .init("storefleet buy com.example.app.yearly --account account-2", "bought outside of any app"),
      .init(
        "storefleet buy com.example.app.coins --on device-1 --no-wait", "a tap; 'gate hold' may hold up what follows"),
    ]
  ) { arguments in
    guard arguments.has(on) != arguments.has(account) else {
      throw UsageError("say where: either --on DEVICE or --account ACCOUNT")
    }
    return try await FleetOptions.with(arguments) { fleet in
      let product = arguments.operands[0]
      if let device = arguments.value(on) {
        let tap = TapBuy(productId: product, wait: !arguments.has(VerbOptions.noWait))
        let reply = try await fleet.ask(tap, of: .device, device)
        print("\(device): \(reply.phase)\(reply.message.map { ": \($0)" } ?? "")")
        return reply.phase == "failed" ? .failed : .ok
      }
      let account = try arguments.required(account)
      let reply = try await fleet.ask(Purchase(productId: product), of: .account, account)
      print("\(account): \(reply.outcome.words)")
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
  var words: String {
    switch self {
    case .purchased(let id): "purchased, transaction \(id)"
    case .existing(let id): "owned already, transaction \(id)"
    case .pending: "pending; 'storefleet pending ACCOUNT' says what it waits for"
    }
  }
}
