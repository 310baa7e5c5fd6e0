import Foundation
import ServerNode
import Shared
import Wire

/// What happens in the store.
extension Town {
  func open(_ account: String, asksToBuy: Bool = false) throws {
    try ask(OpenAccount(account: account, asksToBuy: asksToBuy), of: address(.world, Town.world))
  }

  /// The store's process dies and comes back with what its journal has.
  func restartStore() throws {
    server = Town.node()
    serverWakeAt = nil
    give(.recovered(try journal.recover()))
    run()
  }

  /// Such as `coldStartEmpty,lateListing=800`.
  func set(habits: String) throws {
    try ask(SetHabits(HabitChange(parsing: habits)), of: address(.world, Town.world))
  }

  /// A purchase in the App Store itself, or on a phone that is not in the story.
  @discardableResult
  func buy(_ item: Item, by account: String) throws -> TransactionID? {
    let reply = try ask(Purchase(productId: item.id), of: address(.account, account))
    rest()
    guard case .purchased(let id) = reply.outcome else { return nil }
    return id
  }

  func refund(_ item: Item, of account: String, reason: Int = 0) throws {
    try ask(Refund(productId: item.id, reason: reason), of: address(.account, account))
    rest()
  }

  func setAutoRenew(_ item: Item, of account: String, _ on: Bool) throws {
    try ask(SetAutoRenew(productId: item.id, on: on), of: address(.account, account))
    rest()
  }

  func billing(of account: String, fails: Bool) throws {
    try ask(SetBilling(fails: fails), of: address(.account, account))
    rest()
  }

  func answerAskToBuy(_ item: Item, of account: String, approve: Bool) throws {
    try ask(AnswerAskToBuy(approve: approve, productId: item.id), of: address(.account, account))
    rest()
  }

  func family(_ name: String, _ members: String...) throws {
    try ask(CreateFamily(organizer: members[0]), of: address(.family, name))
    for member in members.dropFirst() { try ask(JoinFamily(account: member), of: address(.family, name)) }
    rest()
  }

  func leave(_ family: String, _ account: String) throws {
    try ask(LeaveFamily(account: account), of: address(.family, family))
    rest()
  }

  /// The world's clock moves on, and everything comes to rest.
  func advance(
    months: Int = 0, days: Int = 0, hours: Int = 0, minutes: Int = 0, seconds: Int = 0, rests: Bool = true
  ) throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = DateComponents(month: months, day: days, hour: hours, minute: minutes, second: seconds)
    let now = Date(timeIntervalSince1970: Double(try self.now().milliseconds) / 1_000)
    guard let then = calendar.date(byAdding: parts, to: now) else { throw Unexpected(what: "no such date") }
    try ask(AdvanceClock(.to(StoreTime(then))), of: address(.world, Town.world))
    if rests { rest() }
  }

  func now() throws -> StoreTime { try ask(DescribeWorld(), of: address(.world, Town.world)).now }

  /// The account as the store has it.
  func history(of account: String) throws -> TransactionHistory {
    let reply = try ask(CatchUp(epoch: 0, after: 0), of: address(.account, account))
    guard case .snapshot(let history) = reply.content else { throw Unexpected(what: "no snapshot") }
    return history
  }

  /// What the account was charged, in milliunits: one line for each transaction of its own.
  func charges(of account: String) throws -> [Int64] {
    try history(of: account).records.filter { $0.inAppOwnershipType == .purchased }.map(\.price)
  }

  /// The names of an account's events, in order.
  func events(of account: String) throws -> [String] {
    try journal.events(of: address(.account, account), after: 0, limit: 10_000).map(\.name)
  }
}
