import Fleet
import Foundation
import Shared
import Wire

/// The questions to a running fleet.
enum QueryCommands {
  static let all = [DeviceTable.command, accounts, transactions, entitlements, TimelineCommand.command, products]

  private struct AccountLine: Encodable {
    var account: String
    var asksToBuy: Bool
    var family: String?
    var devices: [String]
    var events: UInt64
    var entitled: [String]
    var unfinished: Int
  }

  static let accounts = Command(
    name: "accounts", summary: "list the accounts of a running fleet",
    operands: [Operand("ACCOUNT", .any, help: "accounts; all of them without one")],
    options: [FleetOptions.json] + FleetOptions.all,
    examples: [.init("storefleet accounts", "their families, devices, and what they may use")]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      let devices = Dictionary(grouping: try await fleet.askWorld(ListDevices()).devices, by: \.account)
      let now = try await fleet.askWorld(DescribeWorld()).now
      var lines: [AccountLine] = []
      let all = try await fleet.askWorld(ListAccounts()).accounts
      let askers = Set(all.filter(\.asksToBuy).map(\.account))
      for account in arguments.operands.isEmpty ? all.map(\.account).sorted() : arguments.operands {
        let entries = try await fleet.journal(of: account)
        let truth = JournalTruth(entries: entries.filter { $0.at <= now }, now: now)
        lines.append(
          AccountLine(
            account: account, asksToBuy: askers.contains(account), family: AccountHistory(entries).family,
            devices: (devices[account] ?? []).map(\.device), events: entries.last?.sequence ?? 0,
            entitled: truth.entitled, unfinished: truth.unfinished.count))
      }
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: lines)
        return .ok
      }
      var table = Table([
        .init("account"), .init("family"), .init("devices"), .init("events", .trailing),
        .init("unfinished", .trailing), .init("may use"),
      ])
      for line in lines {
        table.addRow([
          line.account, line.family ?? "–", list(line.devices), "\(line.events)", "\(line.unfinished)",
          list(line.entitled),
        ])
      }
      table.lines(fitting: Terminal.width).forEach { print($0) }
      return .ok
    }
  }

  private static func list(_ names: [String]) -> String { names.isEmpty ? "–" : names.joined(separator: ", ") }

  static let transactions = Command(
    name: "transactions", summary: "list the transactions of an account, as they are now",
    operands: [Operand("ACCOUNT", help: "the account's name")], options: [FleetOptions.json] + FleetOptions.all,
    examples: [.init("storefleet transactions alice", "what 'refund --transaction' can name")]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      let history = AccountHistory(try await fleet.journal(of: arguments.operands[0]))
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: history.records.map { TransactionTable.Line($0, history) })
      } else {
        TransactionTable.lines(history).forEach { print($0) }
      }
      return .ok
    }
  }

  static let entitlements = Command(
    name: "entitlements", summary: "tell what a user may use, as the developer's backend hears it, or an account",
    operands: [Operand("USER-TOKEN|ACCOUNT", help: "an appAccountToken (a UUID), or an account's name")],
    options: [FleetOptions.json] + FleetOptions.all,
    examples: [
      .init("storefleet entitlements 1f0e8a52-4f0c-4a7e-9b53-2f8f3a1d6c77", "everything that is bound to this user"),
      .init("storefleet entitlements alice", "what the ledger says of alice's products, and why"),
    ]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      let name = arguments.operands[0]
      if let token = UUID(uuidString: name) {
        let user = token.uuidString.lowercased()
        let found = try await fleet.ask(GetEntitlements(), of: .user, user).entitlements
        if arguments.has(FleetOptions.json) {
          try FleetOptions.print(json: found)
        } else {
          EntitlementTable.lines(found).forEach { print($0) }
        }
        return .ok
      }
      let now = try await fleet.askWorld(DescribeWorld()).now
      let entries = try await fleet.journal(of: name).filter { $0.at <= now }
      let products = JournalTruth(entries: entries, now: now).products
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: products.map(EntitlementTable.Line.init))
      } else {
        EntitlementTable.lines(products).forEach { print($0) }
      }
      return .ok
    }
  }

  static let products = Command(
    name: "products", summary: "list what the world of a running fleet sells",
    options: [FleetOptions.json] + FleetOptions.all,
    examples: [.init("storefleet products", "ids, types, prices, periods and offers")]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      let text = try await fleet.askWorld(DescribeWorld()).catalog
      var catalog: Catalog
      do throws(CatalogError) { catalog = try Catalog(data: Data(text.utf8), file: "the world's catalogue") } catch {
        throw CommandFailure(error.lines.joined(separator: "\n"))
      }
      // The text is what the world was made with; what can be shared with families may have become more since.
      for product in try await fleet.askWorld(GetProducts(ids: catalog.products.map(\.id))).products
      where product.isFamilyShareable {
        catalog = catalog.sharing(product.id)
      }
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: catalog.products)
      } else {
        CatalogTable(catalog).lines.forEach { print($0) }
      }
      return .ok
    }
  }
}
