import Fleet
import Shared
import Wire

/// The verbs that make StoreKit refuse: simulated errors, purchases that are not allowed or are interrupted.
enum ErrorVerbs {
  static let all = [fail, works, purchases, interrupt, resolve, pending]

  private static let apis = FailableAPI.allCases.map(\.rawValue).joined(separator: ", ")
  private static let device = Operand("DEVICE", help: "the device's name, or 'all' for every device of the world")
  private static let times = Option("times", value: "N", help: "how often; without it until 'works' is said")
  private static let code = Option(
    "code", value: "N", help: "the URLError code of a networkError, such as -1001 for a time-out")

  static let fail = Command(
    name: "fail", summary: "make a part of StoreKit fail on a device",
    operands: [
      device, Operand("API", help: apis),
      Operand("FAILURE", help: "such as networkError; a word that is none lists those of the API"),
    ],
    options: [times, code, FleetOptions.json] + FleetOptions.all,
    examples: [
      .init("storefleet fail device-1 purchase networkError --times 2", "the next two purchases fail"),
      .init("storefleet fail device-1 purchase ineligibleForOffer", "Product.PurchaseError.ineligibleForOffer"),
      .init("storefleet fail all verification invalidSignature", "what apps get is unverified, everywhere"),
    ]
  ) { arguments in
    let api = try api(arguments.operands[1])
    let word = arguments.operands[2]
    let failures = SimulatedFailure.all(of: api)
    guard var failure = failures.first(where: { $0.name == word }) else {
      let names = failures.map(\.name)
      let near = Spelling.closest(to: word, among: names)
      throw UsageError(
        "\(api.rawValue) does not fail with '\(word)': "
          + (near.map { "did you mean '\($0)'?" } ?? "expected \(names.joined(separator: ", "))"))
    }
    if let number = try arguments.integer(code, in: -100_000...0) {
      guard case .networkError = failure else { throw UsageError("only a networkError has a --code") }
      failure = .networkError(code: number)
    }
    let count = try arguments.integer(times, in: 1...1_000_000)
    return try await FaultTargets.tell(
      SetSimulatedError(api: api, failure: failure, times: count), devices(arguments.operands[0]), arguments,
      done: "\(api.rawValue) fails with \(word)" + (count.map { ", \(counted($0, "time"))" } ?? ""))
  }

  static let works = Command(
    name: "works", summary: "let a part of StoreKit work again on a device",
    operands: [device, Operand("API", help: apis)], options: [FleetOptions.json] + FleetOptions.all,
    examples: [.init("storefleet works device-1 purchase", "purchases go through again")]
  ) { arguments in
    let api = try api(arguments.operands[1])
    return try await FaultTargets.tell(
      SetSimulatedError(api: api, failure: nil), devices(arguments.operands[0]), arguments,
      done: "\(api.rawValue) works again")
  }

  private static func devices(_ word: String) -> [String] { word == "all" ? [] : [word] }

  private static func api(_ word: String) throws(UsageError) -> FailableAPI {
    guard let api = FailableAPI(rawValue: word) else {
      let near = Spelling.closest(to: word, among: FailableAPI.allCases.map(\.rawValue))
      throw UsageError("nothing is called '\(word)': " + (near.map { "did you mean '\($0)'?" } ?? "expected \(apis)"))
    }
    return api
  }

  private static func isOn(_ arguments: Arguments) throws(UsageError) -> Bool {
    switch arguments.operands[0] {
    case "on": return true
    case "off": return false
    default: throw UsageError("'\(arguments.operands[0])' is neither 'on' nor 'off'")
    }
  }

  static let purchases = Command(
    name: "device purchases", summary: "switch purchases on a device off, as parental controls do",
    operands: [Operand("on|off", help: "whether the user may buy"), FaultTargets.devices],
    options: [FleetOptions.json] + FleetOptions.all,
    examples: [.init("storefleet device purchases off device-1", "AppStore.canMakePayments is false there")]
  ) { arguments in
    let allowed = try isOn(arguments)
    return try await FaultTargets.tell(
      SetPurchasesAllowed(allowed: allowed), Array(arguments.operands.dropFirst()), arguments,
      done: "purchases are \(allowed ? "" : "not ")allowed")
  }

  // MARK: Interrupted purchases

  private static let deviceOption = Option("device", value: "DEVICE", help: "of this device alone")
  private static let accountOption = Option("account", value: "ACCOUNT", help: "of this account alone")

  static let interrupt = Command(
    name: "interrupt", summary: "interrupt purchases: they are pending until 'resolve'",
    operands: [Operand("on|off", help: "whether purchases are interrupted from now on")],
    options: [accountOption, deviceOption, FleetOptions.json] + FleetOptions.all,
    examples: [
      .init("storefleet interrupt on --account alice", "alice has new terms to agree to first"),
      .init("storefleet interrupt off", "for the whole world"),
    ]
  ) { arguments in
    let request = SetInterruptedPurchases(on: try isOn(arguments))
    let (account, device) = (arguments.value(accountOption), arguments.value(deviceOption))
    guard account == nil || device == nil else { throw UsageError("say either --account or --device, not both") }
    return try await FleetOptions.with(arguments) { fleet in
      if let account {
        _ = try await fleet.ask(request, of: .account, account)
      } else if let device {
        _ = try await fleet.ask(request, of: .device, device)
      } else {
        _ = try await fleet.askWorld(request)
      }
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: request)
      } else {
        print("\(account ?? device ?? fleet.world): purchases are \(request.on ? "" : "not ")interrupted")
      }
      return .ok
    }
  }

  private static let purchase = Option(
    "purchase", value: "ID", help: "the purchase; 'storefleet pending' lists them")

  static let resolve = Command(
    name: "resolve", summary: "do what an interrupted purchase waits for: it goes through",
    operands: [VerbOptions.optionalProduct],
    options: [VerbOptions.account, purchase, FleetOptions.json] + FleetOptions.all,
    examples: [.init("storefleet resolve --account alice", "the only purchase of alice that has an issue")]
  ) { arguments in
    let account = try arguments.required(VerbOptions.account)
    return try await FleetOptions.with(arguments) { fleet in
      let request = ResolveIssue(purchase: arguments.value(purchase), productId: arguments.operands.first)
      let position = try await fleet.ask(request, of: .account, account)
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: position)
      } else {
        print("\(account): the issue is resolved (event \(position.sequence))")
      }
      return .ok
    }
  }

  static let pending = Command(
    name: "pending", summary: "list the purchases of an account that wait, for approval or for an issue",
    operands: [Operand("ACCOUNT", help: "the account's name")], options: [FleetOptions.json] + FleetOptions.all,
    examples: [.init("storefleet pending alice", "what 'approve' and 'resolve' can name")]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      let purchases = try await fleet.ask(ListPendingPurchases(), of: .account, arguments.operands[0]).purchases
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: purchases)
        return .ok
      }
      if purchases.isEmpty { print("nothing waits") }
      var table = Table(["purchase", "product", "waits for", "since", "until"].map { .init($0) })
      for purchase in purchases {
        table.addRow([
          purchase.id, purchase.productId + (purchase.quantity > 1 ? " × \(purchase.quantity)" : ""),
          purchase.reason == .issue ? "an issue" : "approval", "\(purchase.askedAt)",
          purchase.expires.map { "\($0)" } ?? "–",
        ])
      }
      if !purchases.isEmpty { table.lines(fitting: Terminal.width).forEach { print($0) } }
      return .ok
    }
  }
}
