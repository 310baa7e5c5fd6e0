import Fleet
import Wire

/// The verbs of Family Sharing.
enum FamilyVerbs {
  static let all = [create, join, leave, share, unshare, hideApp, unhideApp, purchaseSharing, show]

  private static let family = Operand("FAMILY", help: "the family's name")
  private static let accounts = Operand("ACCOUNT", .oneOrMore, help: "the accounts' names")

  static let create = Command(
    name: "family create", summary: "make a family of an organiser and others",
    operands: [
      family, Operand("ORGANIZER", help: "the account that answers Ask to Buy; a member as well"),
      Operand("ACCOUNT", .any, help: "more members, five at most"),
    ],
    options: FleetOptions.all,
    examples: [
      .init("storefleet family create smith alice bob kid", "alice organises the family of three, or nobody joins")
    ]
  ) { arguments in
    let founding = try FamilyFounding(arguments.operands)
    return try await FleetOptions.with(arguments) { fleet in
      try await founding.found(in: fleet)
      print("\(founding.name): organised by \(founding.members[0])")
      for member in founding.members.dropFirst() { print("\(member): joined \(founding.name)") }
      return .ok
    }
  }

  static let join = Command(
    name: "family join", summary: "let accounts join a family", operands: [family, accounts],
    options: FleetOptions.all, examples: [.init("storefleet family join smith zoe", "what is shared, zoe may use")]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      let name = arguments.operands[0]
      return try await Outcomes.each(Array(arguments.operands.dropFirst())) { account in
        _ = try await fleet.ask(JoinFamily(account: account), of: .family, name)
        return "joined \(name)"
      }
    }
  }

  static let leave = Command(
    name: "family leave", summary: "let accounts leave their family; it ends with its organiser", operands: [accounts],
    options: FleetOptions.all,
    examples: [
      .init("storefleet family leave zoe", "what others shared with zoe goes"),
      .init("storefleet family leave alice", "alice organised it, so everybody leaves and the family is no more"),
    ]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      var goneWith: [String: String] = [:]
      return try await Outcomes.each(arguments.operands) { account in
        if let name = goneWith[account] { return "left \(name), which has ended" }
        let name = try await family(of: account, in: fleet)
        let before = try await fleet.ask(DescribeFamily(), of: .family, name)
        _ = try await fleet.ask(LeaveFamily(account: account), of: .family, name)
        guard before.organizer == account else { return "left \(name)" }
        let others = before.members.filter { $0 != account }
        for other in others { goneWith[other] = name }
        return "left \(name), which has ended"
          + (others.isEmpty ? "" : ": \(others.joined(separator: ", ")) left with it")
      }
    }
  }

  static let share = sharing("share", "shared", "share a purchase with the family again", on: true)
  static let unshare = sharing("unshare", "no longer shared", "stop sharing a purchase with the family", on: false)

  private static func sharing(_ verb: String, _ done: String, _ summary: String, on: Bool) -> Command {
    Command(
      name: "family \(verb)", summary: summary, operands: [Operand("PRODUCT", help: "the product's id")],
      options: [VerbOptions.account] + FleetOptions.all,
      examples: [.init("storefleet family \(verb) com.example.app.lifetime --account alice", summary)]
    ) { arguments in
      let account = try arguments.required(VerbOptions.account)
      return try await FleetOptions.with(arguments) { fleet in
        let name = try await family(of: account, in: fleet)
        let product = arguments.operands[0]
        _ = try await fleet.ask(SetSharing(account: account, productId: product, on: on), of: .family, name)
        print("\(account): \(product) \(done) with \(name)")
        return .ok
      }
    }
  }

  static let hideApp = hiding(
    "hide-app", "hides the app", "let accounts hide the app among their purchases: no non-consumable is shared",
    hidden: true)
  static let unhideApp = hiding(
    "unhide-app", "shows the app again", "let accounts show the app among their purchases again", hidden: false)

  private static func hiding(_ verb: String, _ done: String, _ summary: String, hidden: Bool) -> Command {
    Command(
      name: "family \(verb)", summary: summary, operands: [accounts],
      options: [FleetOptions.json] + FleetOptions.all,
      examples: [
        .init(
          "storefleet family \(verb) alice",
          hidden ? "subscriptions of alice are shared all the same" : "what alice bought is shared again")
      ]
    ) { arguments in
      try await FleetOptions.with(arguments) { fleet in
        var families: [String: String] = [:]
        let code = try await Outcomes.each(arguments.operands, quiet: arguments.has(FleetOptions.json)) { account in
          let name = try await family(of: account, in: fleet)
          _ = try await fleet.ask(SetAppHidden(account: account, hidden: hidden), of: .family, name)
          families[account] = name
          return done
        }
        if arguments.has(FleetOptions.json) {
          try FleetOptions.print(json: families.sorted { $0.key < $1.key }.map { Hidden($0.key, $0.value, hidden) })
        }
        return code
      }
    }
  }

  private struct Hidden: Encodable {
    var account: String
    var family: String
    var hidden: Bool

    init(_ account: String, _ family: String, _ hidden: Bool) {
      self.account = account
      self.family = family
      self.hidden = hidden
    }
  }

  private struct PurchaseSharing: Encodable {
    var family: String
    var on: Bool
  }

  static let purchaseSharing = Command(
    name: "family purchase-sharing", summary: "let the organiser end purchase sharing, or begin it again",
    operands: [family, Operand("on|off", help: "off: no non-consumable is shared; subscriptions are all the same")],
    options: [FleetOptions.json] + FleetOptions.all,
    examples: [.init("storefleet family purchase-sharing smith off", "non-consumables go from the other members")]
  ) { arguments in
    let (name, word) = (arguments.operands[0], arguments.operands[1])
    guard word == "on" || word == "off" else {
      throw UsageError("purchase sharing is 'on' or 'off', not '\(word)'")
    }
    return try await FleetOptions.with(arguments) { fleet in
      _ = try await fleet.ask(SetPurchaseSharing(on: word == "on"), of: .family, name)
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: PurchaseSharing(family: name, on: word == "on"))
      } else {
        print("\(name): purchase sharing is \(word)")
      }
      return .ok
    }
  }

  static let show = Command(
    name: "family show", summary: "list the members of a family", operands: [family],
    options: [FleetOptions.json] + FleetOptions.all,
    examples: [.init("storefleet family show smith", "its members, the organiser first")]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      let reply = try await fleet.ask(DescribeFamily(), of: .family, arguments.operands[0])
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: reply)
      } else {
        let others = reply.members.filter { $0 != reply.organizer }.sorted()
        print((["\(reply.organizer) (organiser)"] + others).joined(separator: ", "))
      }
      return .ok
    }
  }

  private static func family(of account: String, in fleet: RunningFleet) async throws -> String {
    guard let family = AccountHistory(try await fleet.journal(of: account)).family else {
      throw CommandFailure("\(account) is in no family")
    }
    return family
  }
}
