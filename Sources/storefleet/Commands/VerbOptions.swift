import Fleet
import Foundation
import Shared
import Wire

/// What the verbs have in common: whom they act for, and how an answer is told.
enum VerbOptions {
  static let account = Option(
    "account", value: "ACCOUNT", isRequired: true, help: "the account that it is about")
  static let transaction = Option(
    "transaction", value: "ID", help: "a transaction instead of a product; 'storefleet transactions' lists them")

  static let noWait = Option(flag: "no-wait", help: "do not wait for what comes of the tap")

  static let optionalProduct = Operand(
    "PRODUCT", .oneAtMost, help: "the product's id; not needed where the account has only one")

  /// Asks the account that `--account` names, and prints what was done with the position of it.
  static func tell<R: Request>(_ request: R, _ arguments: Arguments, done: String) async throws -> ExitCode
  where R.Reply == AccountPosition {
    let account = try arguments.required(account)
    return try await FleetOptions.with(arguments) { fleet in
      let position = try await fleet.ask(request, of: .account, account)
      try tell(position, account, done: done, arguments)
      return .ok
    }
  }

  /// What was done, in words or as JSON.
  static func tell(_ position: AccountPosition, _ account: String, done: String, _ arguments: Arguments) throws {
    if arguments.has(FleetOptions.json) {
      try FleetOptions.print(json: position)
    } else {
      print("\(account): \(done) (event \(position.sequence))")
    }
  }

  /// The transaction or the product that is meant.
  static func subject(_ arguments: Arguments) throws(UsageError) -> (transaction: TransactionID?, product: String?) {
    guard arguments.has(transaction) != !arguments.operands.isEmpty else {
      throw UsageError("say what: either a PRODUCT or --transaction ID")
    }
    return (try transactionId(arguments), arguments.operands.first)
  }

  /// The token of the user that `--user` names.
  static func token(_ word: String) throws(UsageError) -> UUID {
    do { return try UserToken.checked(word) } catch { throw UsageError("option '--user': \(error.message)") }
  }

  static func transactionId(_ arguments: Arguments) throws(UsageError) -> TransactionID? {
    guard let text = arguments.value(transaction) else { return nil }
    guard let id = TransactionID(text) else {
      throw UsageError("option '--transaction' is '\(text)': a number such as 2000000001 was expected")
    }
    return id
  }
}
