import Fleet
import Wire

/// The verbs of offers that are not bought on a device.
enum OfferVerbs {
  static let all = [redeem, keys]

  private static let code = Option(
    "code", value: "CODE",
    help: "the offer's id, which stands for all of its codes; where the file gives none, its reference name")
  private static let offer = Option("offer", value: "NAME", help: "the offer's reference name")

  static let redeem = Command(
    name: "redeem", summary: "redeem an offer code in the App Store itself",
    operands: [Operand("PRODUCT", help: "the plan that the code is for")],
    options: [VerbOptions.account, code, offer, FleetOptions.json] + FleetOptions.all,
    examples: [
      .init(
        "storefleet redeem com.example.app.yearly --offer workshop --account alice", "any code of the offer 'workshop'"),
      .init("storefleet redeem com.example.app.yearly --code workshop --account alice", "the offer with this id"),
    ]
  ) { arguments in
    guard arguments.has(code) != arguments.has(offer) else {
      throw UsageError("say what: either --code CODE or --offer NAME")
    }
    let account = try arguments.required(VerbOptions.account)
    let request = RedeemCode(
      productId: arguments.operands[0], code: arguments.value(code), referenceName: arguments.value(offer))
    return try await FleetOptions.with(arguments) { fleet in
      let reply = try await fleet.ask(request, of: .account, account)
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: reply)
      } else {
        print("\(account): \(reply.outcome.words(account))")
      }
      return .ok
    }
  }

  static let keys = Command(
    name: "offer-key", summary: "print the key with which your server signs offers of this world",
    options: [FleetOptions.json] + FleetOptions.all,
    examples: [
      .init("storefleet offer-key", "its id, and the private key as PEM"),
      .init("storefleet offer-key --json | jq -r .privateKey > key.p8", "for the server that signs"),
    ]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      let reply = try await fleet.askWorld(DescribeOfferKeys())
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: reply)
      } else {
        print("key id: \(reply.keyId)\n\(reply.privateKey)", terminator: reply.privateKey.hasSuffix("\n") ? "" : "\n")
      }
      return .ok
    }
  }
}
