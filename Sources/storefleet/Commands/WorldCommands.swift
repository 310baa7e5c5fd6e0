import Fleet
import Wire

/// The verbs that prepare a store: a world, and the accounts in it.
enum WorldCommands {
  static let all = [create, reset, share, openAccount]

  private static let asksToBuy = Option(
    flag: "asks-to-buy", help: "purchases wait for the family organiser")

  private static let create = Command(
    name: "world create", summary: "make a world on a server node; the same again changes nothing",
    options: WorldOptions.all + FleetOptions.all,
    examples: [
      .init(
        "storefleet world create --catalog Products.storekit --connect tcp://127.0.0.1:5555",
        "the world 'main', which sells what the file says"),
      .init("storefleet world create --world autumn --clock manual", "one more world, whose clock you move"),
    ]
  ) { arguments in
    let request = try WorldOptions.request(arguments)
    return try await FleetOptions.with(arguments) { fleet in
      let world = try await fleet.askWorld(request)
      print("World '\(world.world)' of \(world.bundleId): it is \(world.now) there.")
      return .ok
    }
  }

  private static let reset = Command(
    name: "world reset", summary: "forget everything that was bought in a world, its families and its users",
    options: [FleetOptions.json] + FleetOptions.all,
    examples: [.init("storefleet world reset", "settings, clock and accounts stay; the epoch grows")]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      _ = try await fleet.askWorld(ResetWorld())
      let world = try await fleet.askWorld(DescribeWorld())
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: Reset(world: world.world, epoch: world.epoch))
      } else {
        print("World '\(world.world)' has forgotten everything that was bought. It is \(world.now) there.")
      }
      return .ok
    }
  }

  private struct Reset: Encodable {
    var world: String
    var epoch: UInt64
  }

  private struct Shareable: Encodable {
    var product: String
    var familyShareable = true
  }

  private static let share = Command(
    name: "world share", summary: "let families share a product from now on; this cannot be taken back",
    operands: [Operand("PRODUCT", help: "a non-consumable or a subscription")],
    options: [FleetOptions.json] + FleetOptions.all,
    examples: [
      .init("storefleet world share com.example.app.lifetime", "who subscribes already has to use 'family share'")
    ]
  ) { arguments in
    let product = arguments.operands[0]
    return try await FleetOptions.with(arguments) { fleet in
      _ = try await fleet.askWorld(SetFamilyShareable(productId: product))
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: Shareable(product: product))
      } else {
        print("\(product): can be shared with families from now on")
      }
      return .ok
    }
  }

  private static let openAccount = Command(
    name: "account open", summary: "open accounts in a world; the same again changes nothing",
    operands: [Operand("ACCOUNT", .oneOrMore, help: "the accounts' names")],
    options: [asksToBuy] + FleetOptions.all,
    examples: [.init("storefleet account open alice bob", "two accounts, for devices to be signed in to")]
  ) { arguments in
    for account in arguments.operands { try NameError.check(account, "an account") }
    return try await FleetOptions.with(arguments) { fleet in
      for account in arguments.operands {
        _ = try await fleet.askWorld(OpenAccount(account: account, asksToBuy: arguments.has(asksToBuy)))
        print("\(account): open")
      }
      return .ok
    }
  }
}
