import Foundation
import Shared
import Wire

/// An account behind its address: messages in, events and effects out.
struct AccountActor: StoreActor {
  let address: ActorAddress
  var state = AccountState()
  /// The sequence of the last reset: what is behind it needs a snapshot.
  var lastReset: UInt64 = 0

  init(address: ActorAddress) { self.address = address }

  mutating func restore(_ event: JournalEvent) throws {
    guard let kind = AccountEvent.Kind(rawValue: event.name) else {
      throw ServerNodeError("the journal of \(address) has an event '\(event.name)' that this version does not know")
    }
    if kind == .reset || kind == .deleted { lastReset = event.sequence }
    state.evolve(try AccountEvent.decode(kind: kind, body: event.body))
  }

  var timers: [String: StoreTime] { state.timers }

  mutating func receive(_ message: ActorMessage, in context: ActorContext) throws(WireError) -> ActorOutcome {
    // What the message brought back from the archive goes there again.
    defer { state.archive() }
    switch message {
    case .request(let name, let body, let attachments):
      guard state.profile != nil else { throw notThere(context) }
      return try answer(name, body, attachments, in: context)
    case .effect(let effect, let source): return try apply(effect, from: source, in: context)
    case .timer(let name):
      guard let timer = AccountTimer(name: name) else { return ActorOutcome() }
      return try act(.timer(timer), in: context)
    case .delivery: return ActorOutcome()
    }
  }

  func notThere(_ context: ActorContext) -> WireError {
    context.isOpenedAccount
      ? WireError(.unavailable, "account '\(address.key)' of world '\(address.world)' is being opened: ask again")
      : .noAccount(address.key, address.world)
  }

  // MARK: Requests

  private mutating func answer(
    _ name: String, _ body: Data, _ attachments: [Data], in context: ActorContext
  ) throws(WireError) -> ActorOutcome {
    switch name {
    case Purchase.name: return try purchase(try WireJSON.decode(Purchase.self, from: body), in: context)
    case BackdatePurchase.name:
      let request = try WireJSON.decode(BackdatePurchase.self, from: body)
      return try sell(.backdate(request), context.cause(device: nil), in: context)
    case RedeemCode.name:
      return try sell(
        .redeem(try WireJSON.decode(RedeemCode.self, from: body)), context.cause(device: nil), in: context)
    case Finish.name:
      let request = try WireJSON.decode(Finish.self, from: body)
      return try act(.finish(request), device: request.device, in: context)
    case Refund.name: return try act(.refund(try WireJSON.decode(Refund.self, from: body)), in: context)
    case AnswerAskToBuy.name:
      return try act(.answerAskToBuy(try WireJSON.decode(AnswerAskToBuy.self, from: body)), in: context)
    case SetAutoRenew.name:
      return try act(.setAutoRenew(try WireJSON.decode(SetAutoRenew.self, from: body)), in: context)
    case SetBilling.name, SetInterruptedPurchases.name, ResolveIssue.name, RequestPriceIncrease.name,
      AnswerPriceIncrease.name, ExtendSubscription.name, RequestRefund.name, SendConsumptionInformation.name,
      DeclineRefund.name, ReverseRefund.name, SetAppAccountToken.name, SetStorefront.name, ExpireSubscription.name,
      RenewSubscription.name:
      return try act(try controlCommand(name, body), in: context)
    case DeleteTransaction.name:
      return try delete(try WireJSON.decode(DeleteTransaction.self, from: body), in: context)
    case ResetAccount.name:
      _ = try WireJSON.decode(ResetAccount.self, from: body)
      return try reset(in: context)
    case Claim.name: return try claim(try WireJSON.decode(Claim.self, from: body), attachments, in: context)
    case CatchUp.name: return try catchUp(try WireJSON.decode(CatchUp.self, from: body), in: context)
    case GetSignedCopies.name:
      return try sign(try WireJSON.decode(GetSignedCopies.self, from: body), in: context)
    case GetAppTransaction.name:
      return try signAppTransaction(for: try WireJSON.decode(GetAppTransaction.self, from: body), in: context)
    case GetSubscriptions.name: return reply(GetSubscriptions.Reply(subscriptions: subscriptions))
    case GetIntroEligibility.name:
      let request = try WireJSON.decode(GetIntroEligibility.self, from: body)
      let eligible = request.groups.map { ($0, state.isEligibleForIntroductoryOffer(inGroup: $0)) }
      return reply(GetIntroEligibility.Reply(eligible: Dictionary(eligible, uniquingKeysWith: { first, _ in first })))
    case ListPendingPurchases.name:
      return reply(
        ListPendingPurchases.Reply(
          purchases: state.pending.map { ListPendingPurchases.Entry($0) }, nextTransactionId: state.transactionId()))
    case ReadJournal.name: return .reading(try WireJSON.decode(ReadJournal.self, from: body))
    default: throw .unknownRequest(name, address)
    }
  }

  private func controlCommand(_ name: String, _ body: Data) throws(WireError) -> AccountCommand {
    switch name {
    case SetInterruptedPurchases.name:
      return .setInterruptedPurchases(try WireJSON.decode(SetInterruptedPurchases.self, from: body))
    case ResolveIssue.name: return .resolveIssue(try WireJSON.decode(ResolveIssue.self, from: body))
    case SetBilling.name: return .setBilling(try WireJSON.decode(SetBilling.self, from: body))
    case RequestPriceIncrease.name:
      return .requestPriceIncrease(try WireJSON.decode(RequestPriceIncrease.self, from: body))
    case AnswerPriceIncrease.name:
      return .answerPriceIncrease(try WireJSON.decode(AnswerPriceIncrease.self, from: body))
    case ExtendSubscription.name: return .extend(try WireJSON.decode(ExtendSubscription.self, from: body))
    case RequestRefund.name: return .requestRefund(try WireJSON.decode(RequestRefund.self, from: body))
    case SendConsumptionInformation.name:
      return .sendConsumption(try WireJSON.decode(SendConsumptionInformation.self, from: body))
    case DeclineRefund.name: return .declineRefund(try WireJSON.decode(DeclineRefund.self, from: body))
    case SetAppAccountToken.name: return .setAppAccountToken(try WireJSON.decode(SetAppAccountToken.self, from: body))
    case SetStorefront.name: return .setStorefront(try WireJSON.decode(SetStorefront.self, from: body))
    case ReverseRefund.name: return .reverseRefund(try WireJSON.decode(ReverseRefund.self, from: body))
    case ExpireSubscription.name: return .expire(try WireJSON.decode(ExpireSubscription.self, from: body))
    case RenewSubscription.name: return .forceRenewal(try WireJSON.decode(RenewSubscription.self, from: body))
    default: throw .unknownRequest(name, address)
    }
  }

  private mutating func purchase(_ request: Purchase, in context: ActorContext) throws(WireError) -> ActorOutcome {
    try sell(.purchase(request), context.cause(device: request.device, intendedAt: request.intendedAt), in: context)
  }

  /// Answered with what became of it.
  private mutating func sell(
    _ command: AccountCommand, _ cause: AccountUpdate.Cause?, in context: ActorContext
  ) throws(WireError) -> ActorOutcome {
    let decision = try state.decide(command, in: try context.store())
    let position = context.position(after: decision.events.count)
    var result = commit(decision.events, cause: cause, in: context)
    if let refusal = decision.refusal {
      result.reply = .refused(refusal)
      return result
    }
    guard let outcome = decision.outcome else {
      throw WireError(.internalError, "a purchase was decided without an outcome")
    }
    result.reply = .body(WireJSON.encode(Purchase.Reply(outcome: outcome, position: position)))
    return result
  }

  /// Most commands are answered with where the account is afterwards.
  mutating func act(
    _ command: AccountCommand, device: String? = nil, in context: ActorContext
  ) throws(WireError) -> ActorOutcome {
    let events = try state.decide(command, in: try context.store()).events
    var result = commit(events, cause: context.cause(device: device), in: context)
    if context.request != nil { result.reply = .body(WireJSON.encode(context.position(after: events.count))) }
    return result
  }

  /// Users lose what the account had, and the family loses the account.
  private mutating func reset(in context: ActorContext) throws(WireError) -> ActorOutcome {
    var lost = Set(state.history.records.map(\.originalTransactionId)).sorted().flatMap { usersLose($0) }
    if let family = state.family {
      lost.append((ActorAddress(world: address.world, kind: .family, key: family), .memberReset(account: address.key)))
    }
    var outcome = try act(.reset, in: context)
    outcome.forgetsRecords = true
    outcome.effects += lost
    lastReset = context.sequence + UInt64(outcome.events.count)
    return outcome
  }

  private func usersLose(_ lineage: TransactionID) -> [(target: ActorAddress, effect: StoreEffect)] {
    guard let record = state.latest(ofLineage: lineage) else { return [] }
    let entitlement = UserEntitlement(account: address.key, record: record, info: state.history.renewalInfos[lineage])
    let change = EntitlementChanged(entitlement: entitlement, removed: true)
    return state.users(ofLineage: lineage).sorted().map { (userAddress($0), .entitlement(change)) }
  }

  /// Users and the family lose what it gave; devices take what is left as a snapshot.
  private mutating func delete(_ request: DeleteTransaction, in context: ActorContext) throws(WireError) -> ActorOutcome
  {
    var lost: [(target: ActorAddress, effect: StoreEffect)] = []
    if let lineage = state.history[request.transactionId]?.originalTransactionId {
      lost = usersLose(lineage)
      if let family = state.family {
        let id = SharedItem.ID(account: address.key, lineage: lineage)
        lost.append((ActorAddress(world: address.world, kind: .family, key: family), .itemWithdrawn(id)))
      }
    }
    var outcome = try act(.delete(request), in: context)
    outcome.forgetsRecords = true
    outcome.records = state.history.records.map { StoredRecord($0, body: $0.json) }
    outcome.effects += lost
    lastReset = context.sequence + UInt64(outcome.events.count)
    return outcome
  }

  func userAddress(_ user: UUID) -> ActorAddress {
    ActorAddress(world: address.world, kind: .user, key: user.lowercaseText)
  }

  private mutating func claim(
    _ request: Claim, _ attachments: [Data], in context: ActorContext
  ) throws(WireError) -> ActorOutcome {
    let id = try ClaimedTransaction.verifiedId(attachments.first, in: context)
    return try act(
      .claim(transactionId: id, appAccountToken: request.appAccountToken), device: request.device, in: context)
  }

  private func catchUp(_ request: CatchUp, in context: ActorContext) throws(WireError) -> ActorOutcome {
    let storefront = state.storefront ?? context.world?.storefront
    let isNear =
      request.epoch == context.epoch && request.after <= context.sequence && request.after >= lastReset
      && context.sequence - request.after <= UInt64(CatchUp.mostEvents)
    var outcome = ActorOutcome()
    if isNear, request.after > 0 || context.sequence == 0 {
      outcome.reply = .catchUp(after: request.after)
    } else {
      outcome.reply = .body(
        WireJSON.encode(
          CatchUp.Reply(
            position: context.position(after: 0), content: .snapshot(state.history), storefront: storefront)))
    }
    return outcome
  }

  private func sign(_ request: GetSignedCopies, in context: ActorContext) throws(WireError) -> ActorOutcome {
    // Each copy is a frame of the reply.
    guard request.copies.count <= GetSignedCopies.mostCopies else {
      throw WireError(
        .badBody,
        "\(request.copies.count) signed copies do not fit into one reply: ask for \(GetSignedCopies.mostCopies) at a time"
      )
    }
    let store = try context.store()
    var jobs: [SigningJob] = []
    var revisions: [UInt64?] = []
    for copy in request.copies {
      let subject: SigningJob.Subject
      switch copy.subject {
      case .transaction(let id):
        revisions.append(state.history[id]?.recordRevision)
        guard let record = state.history[id] else { continue }
        subject = .transaction(store.world.habits.unknownRawValues ? record.ofTheFuture : record)
      case .renewalInfo(let lineage):
        revisions.append(state.history.renewalInfos[lineage]?.recordRevision)
        guard let info = state.history.renewalInfos[lineage] else { continue }
        subject = .renewalInfo(info)
      }
      jobs.append(
        SigningJob(
          subject: subject,
          bundleId: request.fault == .wrongBundle ? "com.example.other" : store.world.bundleId,
          environment: store.world.environment, signedDate: context.now,
          device: copy.deviceVerificationId.map { .unfilled($0) },
          underForeignRoot: request.fault == .foreignRoot, isSparse: store.world.habits.sparseTransactions))
    }
    var outcome = ActorOutcome()
    outcome.reply = .signed(body: WireJSON.encode(SignedCopies(revisions: revisions)), jobs: jobs)
    return outcome
  }

  private func signAppTransaction(
    for request: GetAppTransaction, in context: ActorContext
  ) throws(WireError) -> ActorOutcome {
    let store = try context.store()
    let id = state.profile?.appTransactionId ?? ""
    var outcome = ActorOutcome()
    outcome.reply = .signed(
      body: WireJSON.encode(GetAppTransaction.Reply(appTransactionId: id)),
      jobs: [
        SigningJob(
          subject: .appTransaction(id: id), bundleId: store.world.bundleId, environment: store.world.environment,
          signedDate: context.now, device: request.deviceVerificationId.map { .unfilled($0) })
      ])
    return outcome
  }

  private var subscriptions: [SubscriptionEntry] {
    state.history.renewalInfos.values.sorted { $0.originalTransactionId < $1.originalTransactionId }.compactMap {
      info in
      state.history[info.latestTransactionId].map { SubscriptionEntry(transaction: $0, renewalInfo: info) }
    }
  }

  private func reply(_ body: some Encodable) -> ActorOutcome {
    var outcome = ActorOutcome()
    outcome.reply = .body(WireJSON.encode(body))
    return outcome
  }
}

private let UUID_NULL: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

extension SigningJob.DeviceBinding {
  /// The nonce is filled in by the node, which owns the entropy.
  fileprivate static func unfilled(_ deviceVerificationId: UUID) -> SigningJob.DeviceBinding {
    SigningJob.DeviceBinding(deviceVerificationId: deviceVerificationId, nonce: UUID(uuid: UUID_NULL))
  }
}

extension TransactionRecord {
  /// With values that this version of StoreKit has no names for (Apple: OwnershipType.assigned is of iOS 27).
  fileprivate var ofTheFuture: TransactionRecord {
    var record = self
    record.inAppOwnershipType = OwnershipType(rawValue: "ASSIGNED")
    record.transactionReason = TransactionReason(rawValue: "GRANT")
    record.offer?.type = 99
    record.revocation?.reason = 7
    return record
  }
}

extension ListPendingPurchases.Entry {
  fileprivate init(_ waiting: PendingPurchase) {
    self.init(
      id: waiting.id, productId: waiting.purchase.productId, quantity: waiting.purchase.quantity,
      reason: waiting.hasIssue == true ? .issue : .askToBuy, device: waiting.purchase.device,
      askedAt: waiting.askedAt, expires: waiting.expires)
  }
}

extension ActorContext {
  func cause(device: String?, intendedAt: Int64? = nil) -> AccountUpdate.Cause? {
    request.map { AccountUpdate.Cause(request: $0.uuid, device: device, intendedAt: intendedAt) }
  }
}

extension ActorOutcome {
  static func reading(_ request: ReadJournal) -> ActorOutcome {
    var outcome = ActorOutcome()
    outcome.reply = .journal(after: request.after, limit: max(1, min(request.limit, 10_000)))
    return outcome
  }
}
