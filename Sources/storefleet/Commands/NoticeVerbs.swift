import Fleet
import Shared
import Wire

/// The verbs of what the App Store app of a phone brings to an app's notice.
enum NoticeVerbs {
  static let all = [message, intent]

  private static let devices = Operand("DEVICE", .oneOrMore, help: "the devices' names")
  private static let reasons = SendMessage.Reason.allCases.map(\.rawValue)

  static let message = Command(
    name: "device message", summary: "send apps a message of the App Store, which waits in Message.messages",
    operands: [Operand("REASON", help: reasons.joined(separator: ", ")), devices],
    options: [FleetOptions.json] + FleetOptions.all,
    examples: [
      .init("storefleet device message billingIssue device-1", "the app on device-1 may show it at a good moment")
    ]
  ) { arguments in
    let word = arguments.operands[0]
    guard let reason = SendMessage.Reason(rawValue: word) else {
      let near = Spelling.closest(to: word, among: reasons)
      throw UsageError(
        "no message has the reason '\(word)': "
          + (near.map { "did you mean '\($0)'?" } ?? "expected \(reasons.joined(separator: ", "))"))
    }
    return try await tell(SendMessage(reason: reason), arguments, done: "has a message: \(word)")
  }

  private static let offer = Option(
    "win-back", value: "OFFER", help: "the id of the product's win-back offer that is tapped")

  static let intent = Command(
    name: "device intent",
    summary: "tap a promoted product in the App Store, which waits in PurchaseIntent.intents",
    operands: [Operand("PRODUCT", help: "the product's id"), devices],
    options: [offer, FleetOptions.json] + FleetOptions.all,
    examples: [
      .init("storefleet device intent com.example.app.yearly device-1", "the app decides whether to buy it at once"),
      .init("storefleet device intent com.example.app.yearly --win-back comeback device-1", "with a win-back offer"),
    ]
  ) { arguments in
    let (product, winBack) = (arguments.operands[0], arguments.value(offer))
    return try await tell(
      SendPurchaseIntent(productId: product, offerId: winBack), arguments,
      done: "the App Store was tapped for \(product)"
    ) { try await check(product, winBack, in: $0) }
  }

  /// The App Store shows nothing that it does not sell.
  private static func check(_ product: String, _ winBack: String?, in fleet: RunningFleet) async throws {
    guard let sold = try await fleet.askWorld(GetProducts(ids: [product])).products.first else {
      throw CommandFailure("the world does not sell '\(product)': 'storefleet products' lists what it sells")
    }
    guard let winBack else { return }
    let offers = sold.subscription?.winBackOffers.compactMap(\.id) ?? []
    guard offers.contains(winBack) else {
      throw CommandFailure(
        "'\(product)' has no win-back offer '\(winBack)': "
          + (offers.isEmpty ? "it has none at all" : "expected \(offers.joined(separator: ", "))"))
    }
  }

  private static func tell<R: Request>(
    _ request: R, _ arguments: Arguments, done: String, check: (RunningFleet) async throws -> Void = { _ in }
  ) async throws -> ExitCode where R.Reply == DeviceReport {
    let isJSON = arguments.has(FleetOptions.json)
    return try await FleetOptions.with(arguments) { fleet in
      try await check(fleet)
      var reports: [DeviceReport] = []
      let code = try await Outcomes.each(Array(arguments.operands.dropFirst()), quiet: isJSON) { device in
        reports.append(try await fleet.ask(request, of: .device, device))
        return done
      }
      if isJSON { try FleetOptions.print(json: reports) }
      return code
    }
  }
}
