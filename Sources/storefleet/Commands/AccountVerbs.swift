import Fleet
import Foundation
import Shared
import Wire

/// The verbs that act on an account as a whole.
enum AccountVerbs {
  static let all = [storefront, reset, token]

  static let storefront = Command(
    name: "account storefront", summary: "move an account to another country's storefront; what it bought stays",
    operands: [
      Operand("ACCOUNT", help: "the account's name"),
      Operand("COUNTRY", help: "one of the App Store's storefronts, ISO 3166-1 alpha-3, such as USA or DEU"),
    ],
    options: [FleetOptions.json] + FleetOptions.all,
    examples: [.init("storefleet account storefront alice DEU", "families share only within one storefront")]
  ) { arguments in
    let (account, country) = (arguments.operands[0], arguments.operands[1])
    return try await FleetOptions.with(arguments) { fleet in
      let position = try await fleet.ask(SetStorefront(storefront: country), of: .account, account)
      try VerbOptions.tell(position, account, done: "buys in \(country)", arguments)
      return .ok
    }
  }

  static let reset = Command(
    name: "account reset",
    summary: "clear the purchase history of accounts; each leaves its family, an organiser's ends",
    operands: [Operand("ACCOUNT", .oneOrMore, help: "the accounts' names")],
    options: [FleetOptions.json] + FleetOptions.all,
    examples: [.init("storefleet account reset alice", "alice is eligible for every trial again")]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      var positions: [AccountPosition] = []
      let code = try await Outcomes.each(arguments.operands, quiet: arguments.has(FleetOptions.json)) { account in
        let position = try await fleet.ask(ResetAccount(), of: .account, account)
        positions.append(position)
        return "everything that was bought is forgotten (event \(position.sequence))"
      }
      if arguments.has(FleetOptions.json) { try FleetOptions.print(json: positions) }
      return code
    }
  }

  private static let user = Option(
    "user", value: "NAME|TOKEN", isRequired: true,
    help: "an appAccountToken (a UUID), or any name: the same name is the same token")

  static let token = Command(
    name: "token set", summary: "bind a purchase to a user of the app, as a server does afterwards",
    operands: [Operand("PRODUCT", .oneAtMost, help: "the product's id; its newest purchase is meant")],
    options: [VerbOptions.account, VerbOptions.transaction, user, FleetOptions.json] + FleetOptions.all,
    examples: [
      .init("storefleet token set com.example.app.yearly --user ann --account alice", "from now on it is ann's"),
      .init("storefleet token set --transaction 2000000001000001 --user ann --account alice", "this original one"),
    ]
  ) { arguments in
    let subject = try VerbOptions.subject(arguments)
    let account = try arguments.required(VerbOptions.account)
    let token = try VerbOptions.token(try arguments.required(user))
    return try await FleetOptions.with(arguments) { fleet in
      let original =
        if let id = subject.transaction { id } else { try await newest(subject.product ?? "", of: account, in: fleet) }
      let position = try await fleet.ask(
        SetAppAccountToken(originalTransactionId: original, appAccountToken: token), of: .account, account)
      let done = "transaction \(original) has the token \(token.uuidString.lowercased())"
      try VerbOptions.tell(position, account, done: done, arguments)
      return .ok
    }
  }

  private static func newest(
    _ product: String, of account: String, in fleet: RunningFleet
  ) async throws -> TransactionID {
    let records = AccountHistory(try await fleet.journal(of: account)).records
    guard let record = records.last(where: { $0.productId == product && $0.inAppOwnershipType == .purchased }) else {
      throw CommandFailure(
        "\(account) has bought no '\(product)': 'storefleet transactions \(account)' lists what it has bought")
    }
    return record.originalTransactionId
  }
}
