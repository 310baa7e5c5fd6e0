import ClientNode
import Foundation
import Shared
import Wire

/// A small App Store in the tests: answers the requests of client nodes and publishes events, as a value.
struct FakeStore {
  struct Account {
    var history = TransactionHistory()
    var updates: [AccountUpdate] = []
    var lastReset: UInt64 = 0
  }

  static let world = "w"
  var epoch: UInt64 = 1
  var incarnation: UInt64 = 1
  var heartbeatMilliseconds = 1_000
  var now = StoreTime(milliseconds: 1_700_000_000_000)
  var accounts: [String: Account] = [:]
  var asksToBuy = false
  var token = ""
  var refusesFinish = false
  var habits: Habits?
  /// Whether the world and its accounts were made.
  var isOpen = true
  var sign: @Sendable (WantedCopy, TamperCopies.Fault?) -> String = { FakeSigner.sign($0.deviceVerificationId, $1) }
  var rootCertificate = Data([1])
  var eventsEndpoint = "inproc://events"
  private var nextID: UInt64 = 2_000_000_000
  private var answered: [RequestID: ReplyFrames] = [:]
  /// Every request that was done, by name.
  private(set) var requests: [String] = []
  private(set) var reports: [String: DeviceReport] = [:]
  private(set) var claims: [UUID] = []
  private(set) var greeted = false
  private var listed = 0
  /// What the last turn published.
  var published: [EventFrames] = []

  static func topic(_ account: String) -> String {
    ActorAddress(world: world, kind: .account, key: account).topic
  }

  func position(_ account: String) -> AccountPosition {
    AccountPosition(
      account: ActorAddress(world: FakeStore.world, kind: .account, key: account), epoch: epoch,
      sequence: UInt64(accounts[account]?.updates.count ?? 0))
  }

  var description: WorldDescription {
    WorldDescription(
      world: FakeStore.world, bundleId: "com.example.app", environment: "Sandbox", storefront: "USA", currency: "USD",
      epoch: epoch, now: now, clock: .manual(startsAt: now), timeRate: .realTime, rootCertificate: rootCertificate,
      catalog: "{}", habits: habits)
  }

  func count(of request: String) -> Int { requests.count { $0 == request } }

  // MARK: What happens in the store

  @discardableResult
  mutating func buy(
    _ productId: String, for account: String, type: ProductType = .nonConsumable, cause: AccountUpdate.Cause? = nil,
    token: UUID? = nil
  ) -> TransactionID {
    nextID += 1
    var record = TransactionRecord(
      transactionId: TransactionID(nextID), originalTransactionId: TransactionID(nextID), productId: productId,
      type: type, purchaseDate: now, originalPurchaseDate: now, price: 1_000, currency: "USD", storefront: "USA",
      appTransactionId: "7")
    record.appAccountToken = token
    commit("purchased", account, records: [record], cause: cause)
    return record.transactionId
  }

  /// A subscription of 30 days.
  @discardableResult
  mutating func subscribe(_ productId: String, for account: String) -> TransactionID {
    nextID += 1
    let id = TransactionID(nextID)
    let (record, info) = period(id, lineage: id, productId, previous: nil)
    commit("subscribed-to", account, records: [record], renewalInfos: [info])
    return id
  }

  @discardableResult
  mutating func renew(_ lineage: TransactionID, of account: String) -> TransactionID {
    nextID += 1
    let id = TransactionID(nextID)
    let previous = accounts[account]?.history.renewalInfos[lineage]
    let (record, info) = period(id, lineage: lineage, previous?.productId ?? "?", previous: previous)
    commit("renewed", account, records: [record], renewalInfos: [info])
    return id
  }

  mutating func setAutoRenew(_ lineage: TransactionID, of account: String, _ on: Bool) {
    guard var info = accounts[account]?.history.renewalInfos[lineage] else { return }
    info.recordRevision += 1
    info.willAutoRenew = on
    commit("autoRenewChanged", account, renewalInfos: [info])
  }

  mutating func refund(_ id: TransactionID, of account: String) {
    guard var record = accounts[account]?.history[id] else { return }
    record.recordRevision += 1
    record.revocation = Revocation(date: now, reason: 0, type: "REFUND_FULL")
    commit("refunded", account, records: [record])
  }

  mutating func finish(_ ids: [TransactionID], of account: String, cause: AccountUpdate.Cause? = nil) {
    let known = ids.filter { accounts[account]?.history[$0]?.isFinished == false }
    if !known.isEmpty { commit("finished", account, finished: known, cause: cause) }
  }

  /// Everything is gone, under a new epoch.
  mutating func reset() {
    epoch += 1
    for account in accounts.keys { accounts[account] = Account() }
  }

  /// One account's history is gone; its sequence goes on.
  mutating func reset(_ account: String) {
    accounts[account]?.history = TransactionHistory()
    commit(AccountUpdate.reset, account)
    let sequence = position(account).sequence
    accounts[account]?.lastReset = sequence
  }

  mutating func restart() {
    incarnation += 1
    greeted = false
    listed = 0
  }

  func heartbeat(recent: [String], number: UInt64? = nil) -> EventFrames {
    let body = Heartbeat(node: "server", incarnation: incarnation, recent: recent.map { position($0) }, number: number)
    return EventFrames(
      topic: Heartbeat.topic, epoch: 0, sequence: 0, name: Heartbeat.name, body: WireJSON.encode(body))
  }

  mutating func moveClock(to time: StoreTime) {
    now = time
    let topic = ActorAddress(world: FakeStore.world, kind: .world, key: FakeStore.world).topic
    published.append(
      EventFrames(
        topic: topic, epoch: 1, sequence: 0, name: ClockMoved.name, body: WireJSON.encode(ClockMoved(now: time))))
  }

  func echo(_ topic: String) -> EventFrames? {
    guard let address = ActorAddress(topic.dropLast()), address.kind == .account else { return nil }
    let position = position(address.key)
    return EventFrames(
      topic: topic, epoch: epoch, sequence: position.sequence, name: AccountUpdate.subscribed, body: Data("{}".utf8))
  }

  private func period(
    _ id: TransactionID, lineage: TransactionID, _ productId: String, previous: RenewalInfo?
  ) -> (TransactionRecord, RenewalInfo) {
    let ends = now.advanced(by: 30 * 86_400_000)
    var record = TransactionRecord(
      transactionId: id, originalTransactionId: lineage, productId: productId, type: .autoRenewable, purchaseDate: now,
      originalPurchaseDate: now, price: 5_000, currency: "USD", storefront: "USA", appTransactionId: "7")
    record.expiresDate = ends
    record.subscriptionGroupIdentifier = "g"
    record.transactionReason = previous == nil ? .purchase : .renewal
    var info =
      previous
      ?? RenewalInfo(
        originalTransactionId: lineage, subscriptionGroupIdentifier: "g", latestTransactionId: id, productId: productId,
        willAutoRenew: true, status: .subscribed, renewalDate: ends, renewalPrice: 5_000, currency: "USD",
        recentSubscriptionStartDate: now, appTransactionId: "7")
    if previous != nil { info.recordRevision += 1 }
    info.latestTransactionId = id
    info.renewalDate = ends
    return (record, info)
  }

  private mutating func commit(
    _ name: String, _ account: String, records: [TransactionRecord] = [], renewalInfos: [RenewalInfo] = [],
    finished: [TransactionID] = [], cause: AccountUpdate.Cause? = nil
  ) {
    var state = accounts[account] ?? Account()
    let update = AccountUpdate(
      sequence: UInt64(state.updates.count + 1), name: name, at: now, records: records, renewalInfos: renewalInfos,
      finished: finished, cause: cause)
    for record in records { state.history.put(record) }
    for info in renewalInfos { state.history.put(info) }
    for id in finished { state.history.finish(id) }
    state.updates.append(update)
    accounts[account] = state
    published.append(
      EventFrames(
        topic: FakeStore.topic(account), epoch: epoch, sequence: update.sequence, name: name,
        body: WireJSON.encode(update)))
  }

  // MARK: Requests

  mutating func handle(_ request: RequestFrames) -> ReplyFrames {
    if request.name != Hello.name, !greeted {
      return ReplyFrames(id: request.id, outcome: .failed(WireError(.helloFirst, "say hello")))
    }
    if let reply = answered[request.id] { return reply }
    requests.append(request.name)
    var reply: ReplyFrames
    do {
      reply = try perform(request)
    } catch {
      reply = ReplyFrames(id: request.id, outcome: .failed((error as? WireError) ?? WireError(.internalError, "?")))
    }
    reply.id = request.id
    if case .ok = reply.outcome { answered[request.id] = reply }
    return reply
  }

  private mutating func perform(_ request: RequestFrames) throws -> ReplyFrames {
    func body<Message: Request>(_ type: Message.Type) throws -> Message {
      try WireJSON.decode(type, from: request.body)
    }
    func ok(_ value: some Encodable, _ attachments: [Data] = []) -> ReplyFrames {
      ReplyFrames(id: nil, outcome: .ok(WireJSON.encode(value)), attachments: attachments)
    }
    let account = request.address.key
    if !isOpen, request.address.kind != .node { throw WireError(.unknownAddress, "nobody is there") }
    switch request.name {
    case Hello.name:
      let hello = try body(Hello.self)
      guard hello.token == token else { throw WireError(.unauthorized, "wrong token") }
      greeted = true
      listed = max(listed, hello.devices.count)
      return ok(
        Hello.Reply(
          node: "server", incarnation: incarnation, heartbeatMilliseconds: heartbeatMilliseconds,
          eventsEndpoint: eventsEndpoint, devices: listed))
    case DescribeWorld.name:
      return ok(description)
    case CheckPositions.name:
      let stale = try body(CheckPositions.self).positions.filter { $0 != position($0.account.key) }
      return ok(CheckPositions.Reply(stale: stale.map { position($0.account.key) }))
    case CatchUp.name:
      let message = try body(CatchUp.self)
      let state = accounts[account] ?? Account()
      let missing = UInt64(state.updates.count) - min(message.after, UInt64(state.updates.count))
      let content: CatchUp.Reply.Content =
        message.epoch == epoch && missing <= CatchUp.mostEvents && message.after >= state.lastReset
        ? .events(state.updates.filter { $0.sequence > message.after }) : .snapshot(state.history)
      return ok(CatchUp.Reply(position: position(account), content: content))
    case GetSignedCopies.name:
      let message = try body(GetSignedCopies.self)
      let history = accounts[account]?.history ?? TransactionHistory()
      let revisions = message.copies.map { copy -> UInt64? in
        switch copy.subject {
        case .transaction(let id): history[id]?.recordRevision
        case .renewalInfo(let id): history.renewalInfos[id]?.recordRevision
        }
      }
      let copies = zip(message.copies, revisions).map { copy, revision in
        revision == nil ? Data() : Data(sign(copy, message.fault).utf8)
      }
      return ok(SignedCopies(revisions: revisions), copies)
    case Purchase.name:
      let message = try body(Purchase.self)
      if message.productId == "unavailable" { throw WireError.refused(.productUnavailable, "not for sale") }
      if asksToBuy {
        return ok(Purchase.Reply(outcome: .pending(askToBuy: "1"), position: position(account)))
      }
      let id = buy(
        message.productId, for: account, type: message.productId.hasPrefix("coins") ? .consumable : .nonConsumable,
        cause: .init(request: request.id.uuid, device: message.device), token: message.appAccountToken)
      return ok(Purchase.Reply(outcome: .purchased(id), position: position(account)))
    case Finish.name:
      if refusesFinish { throw WireError(.unavailable, "the disk is full") }
      let message = try body(Finish.self)
      finish(
        message.transactionIds, of: account, cause: .init(request: request.id.uuid, device: message.device))
      return ok(position(account))
    case Claim.name:
      claims.append(try body(Claim.self).appAccountToken)
      return ok(position(account))
    case GetProducts.name:
      return ok(GetProducts.Reply(products: [], groups: [:], currency: "USD", locale: "en_US"))
    case GetAppTransaction.name:
      let message = try body(GetAppTransaction.self)
      return ok(
        GetAppTransaction.Reply(appTransactionId: "7"),
        [Data(FakeSigner.sign(message.deviceVerificationId, nil).utf8)])
    case GetIntroEligibility.name:
      return ok(GetIntroEligibility.Reply(eligible: ["g": true]))
    case ReportDevices.name:
      for report in try body(ReportDevices.self).reports { reports[report.device] = report }
      return ok(Done())
    default: throw WireError(.unknownName, "what is \(request.name)?")
    }
  }
}

/// Signed copies that say for whom they are, and a check that knows when they were changed.
enum FakeSigner {
  static func sign(_ device: UUID?, _ fault: TamperCopies.Fault?) -> String {
    "header.\(device?.uuidString ?? "none").\(fault?.rawValue ?? "good")"
  }

  static func verify(_ check: SignedCopyCheck) -> VerificationFailure? {
    let parts = check.jws.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return .invalidEncoding }
    switch parts[2] {
    case "foreignRoot": return .invalidCertificateChain
    case "wrongBundle": return .invalidDeviceVerification
    case _ where parts[1] == "none" && !check.isDeviceBound: return nil
    default: return parts[1] == check.deviceVerificationId.uuidString ? nil : .invalidSignature
    }
  }
}
