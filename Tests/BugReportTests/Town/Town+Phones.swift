import ClientNode
import ServerNode
import Shared
import Testing
import Wire

/// What people and apps do on the phones.
extension Town {
  /// A new phone, with the app installed and launched.
  func add(_ name: String, of account: String, finishes: Bool = true, listens: Int = 1, launches: Bool = true) throws {
    seed += 1
    phones[name] = Phone(name: name, account: account, seed: seed, verify: verify)
    phones[name]?.finishes = finishes
    phones[name]?.listensAtLaunch = listens
    give(name, .started(StoredNode(), wallClock: Town.start))
    rest()
    if launches { try launch(name) }
  }

  /// The app is started; time passes until it has what the store has.
  func launch(_ phone: String, rests: Bool = true) throws {
    try ask(LaunchDevice(), of: address(.device, phone))
    if rests { rest() }
  }

  /// The app is put away at once.
  func kill(_ phone: String) throws {
    try ask(KillDevice(), of: address(.device, phone))
    phones[phone]?.app = nil
  }

  func relaunch(_ phone: String) throws {
    try kill(phone)
    try launch(phone)
  }

  /// The phone loses its power at this instant: only its disk is left. Then it starts again.
  func reboot(_ phone: String, as account: String? = nil, launches: Bool = true) throws {
    seed += 1
    guard var restarted = phones[phone] else { return }
    restarted.account = account ?? restarted.account
    restarted.starts += 1
    restarted.subscriptions = []
    restarted.wakeAt = nil
    restarted.app = nil
    restarted.core = Phone.node(phone, restarted.account, seed, verify)
    phones[phone] = restarted
    give(phone, .started(restarted.disk, wallClock: Town.start.advanced(by: monotonic)))
    rest()
    if launches { try launch(phone) }
  }

  /// The app and all that it kept are gone from the phone, and it is installed again.
  func reinstall(_ phone: String) throws {
    try? kill(phone)
    phones[phone]?.disk = StoredNode()
    try reboot(phone)
  }

  /// Airplane mode.
  func offline(_ phone: String) throws {
    try ask(SetOnline(online: false), of: address(.device, phone))
    run()
  }

  func online(_ phone: String) throws {
    try ask(SetOnline(online: true), of: address(.device, phone))
    rest()
  }

  @discardableResult
  func listen(on phone: String) -> IteratorID {
    iterators += 1
    let iterator = IteratorID(iterators)
    guard let app = phones[phone]?.app else { return iterator }
    phones[phone]?.listeners.append(iterator)
    give(phone, .iteratorOpened(iterator, app, .transactions))
    return iterator
  }

  func stopListening(_ iterator: IteratorID, on phone: String, unread: [TransactionID] = []) {
    guard let app = phones[phone]?.app else { return }
    phones[phone]?.ended.insert(iterator)
    give(phone, .iteratorClosed(iterator, app, unread: unread))
    run()
  }

  // MARK: What the app asks

  func purchase(_ item: Item, on phone: String, quantity: Int = 1, asksToBuy: Bool = false) throws -> PurchaseOutcome {
    let order = PurchaseOrder(productId: item.id, quantity: quantity, simulatesAskToBuy: asksToBuy)
    let result = try #require(try call(.purchase(order), on: phone), "purchase() did not return")
    guard case .purchase(let outcome) = try result.get() else { throw Unexpected(what: "\(result)") }
    return outcome
  }

  /// Buys, and finishes when the app does so. Then everything comes to rest.
  @discardableResult
  func buy(_ item: Item, on phone: String, quantity: Int = 1) throws -> TransactionRecord {
    guard case .success(let bought) = try purchase(item, on: phone, quantity: quantity) else {
      throw Unexpected(what: "no transaction")
    }
    #expect(bought.failure == nil)
    if phones[phone]?.finishes == true { try finish(bought.record.transactionId, on: phone) }
    rest()
    return bought.record
  }

  func finish(_ id: TransactionID, on phone: String) throws {
    let result = try #require(try call(.finish(id), on: phone), "finish() did not return")
    guard case .success(.done) = result else { throw Unexpected(what: "\(result)") }
  }

  /// Apple: AppStore.sync().
  func sync(_ phone: String) throws {
    let result = try #require(try call(.sync, on: phone), "sync() did not return")
    _ = try result.get()
    rest()
  }

  func query(_ query: TransactionQuery, on phone: String, atMost milliseconds: Int64 = 60_000) throws
    -> [SignedTransaction]
  {
    let result = try #require(try call(.transactions(query), on: phone, atMost: milliseconds), "no answer to \(query)")
    guard case .transactions(let list) = try result.get() else { throw Unexpected(what: "\(result)") }
    return list
  }

  /// Apple: Transaction.currentEntitlements.
  func entitled(_ phone: String) throws -> [Item] {
    try query(.currentEntitlements, on: phone).compactMap { Item(id: $0.record.productId) }
  }

  func entitlements(_ phone: String) throws -> [TransactionRecord] {
    try query(.currentEntitlements, on: phone).map(\.record)
  }

  /// Apple: Transaction.all.
  func all(_ phone: String) throws -> [TransactionRecord] { try query(.all, on: phone).map(\.record) }

  /// Apple: Transaction.unfinished.
  func unfinished(_ phone: String) throws -> [TransactionID] {
    try query(.unfinished, on: phone).map(\.record.transactionId)
  }

  /// What came through a listener of `Transaction.updates` in this launch.
  func updates(_ phone: String, listener: Int = 0) -> [TransactionRecord] {
    guard let iterators = phones[phone]?.listeners, listener < iterators.count else { return [] }
    return heard(iterators[listener], on: phone)
  }

  func heard(_ iterator: IteratorID, on phone: String) -> [TransactionRecord] {
    (phones[phone]?.heard[iterator] ?? []).map(\.record)
  }

  /// From here on, only what is new counts.
  func forget(_ names: String...) {
    for name in names {
      phones[name]?.heard = [:]
      phones[name]?.statuses = []
    }
  }

  func statuses(of phone: String) throws -> [RenewalInfo] {
    let result = try #require(try call(.statuses(group: nil), on: phone))
    guard case .statuses(let list) = try result.get() else { throw Unexpected(what: "\(result)") }
    return list.map(\.info)
  }

  func isEligible(_ group: String, on phone: String) throws -> Bool {
    let result = try #require(try call(.introEligibility(group: group), on: phone))
    guard case .isEligible(let value) = try result.get() else { throw Unexpected(what: "\(result)") }
    return value
  }
}

struct Unexpected: Error { var what: String }

/// What tests do to phones and networks.
extension Town {
  func hold(_ gate: HoldGate.Gate, on phone: String) throws {
    try ask(HoldGate(gate: gate, held: true), of: address(.device, phone))
  }

  func release(_ gate: HoldGate.Gate, on phone: String, count: Int? = nil, cancels: Bool = false) throws {
    try ask(
      HoldGate(gate: gate, held: false, count: count, cancel: cancels ? true : nil), of: address(.device, phone))
    rest()
  }

  func network(_ faults: NetworkFaults?, of phone: String) throws {
    try ask(SetNetworkFaults(faults: faults), of: address(.device, phone))
  }

  func network(_ faults: NetworkFaults?, ofNode phone: String) throws {
    try ask(SetNetworkFaults(faults: faults), of: address(.node, "node-\(phone)"))
  }
}
