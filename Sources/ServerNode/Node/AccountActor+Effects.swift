import Foundation
import Shared
import Wire

/// What other actors do to an account, and what it does to them.
extension AccountActor {
  mutating func apply(
    _ effect: StoreEffect, from source: ActorAddress, in context: ActorContext
  ) throws(WireError) -> ActorOutcome {
    switch effect {
    case .open(let profile): return try act(.open(profile), in: context)
    case .askToJoin(let family): return join(family, source, in: context)
    case .tellLeft(let family): return try act(.leaveFamily(family), in: context)
    case .share(let item): return try act(.receiveShared(item), in: context)
    case .unshare(let id, let reason): return try act(.loseShared(id, reason: reason), in: context)
    case .madeShareable(let product): return try act(.madeShareable(productId: product), in: context)
    case .extendAll(let order): return extendAll(order, for: source, in: context)
    case .extendedAll, .joinAnswered, .itemChanged, .itemWithdrawn, .storefrontChanged, .memberReset, .entitlement,
      .notify:
      throw .unknownRequest(effect.name, address)
    }
  }

  private mutating func join(_ family: String, _ source: ActorAddress, in context: ActorContext) -> ActorOutcome {
    do throws(WireError) {
      guard state.profile != nil else { throw notThere(context) }
      let events = try state.decide(.joinFamily(family), in: try context.store()).events
      var outcome = commit(events, cause: nil, in: context)
      let items = shareableItems(try context.store().world)
      let storefront = familyStorefront(try context.store().world)
      outcome.effects.append(
        (source, .joinAnswered(account: address.key, refusal: nil, items: items, storefront: storefront)))
      return outcome
    } catch {
      var outcome = ActorOutcome()
      outcome.effects.append(
        (source, .joinAnswered(account: address.key, refusal: error, items: [], storefront: nil)))
      return outcome
    }
  }

  // MARK: Events

  mutating func commit(
    _ events: [AccountEvent], cause: AccountUpdate.Cause?, in context: ActorContext
  ) -> ActorOutcome {
    var outcome = ActorOutcome()
    // Each lineage that changes, with the users that it belonged to before.
    var touched: [(lineage: TransactionID, users: [UUID])] = []
    var records: [StoredRecord]?
    // Apple: without a URL nothing is sent, and nothing is kept.
    let notifies = context.world?.notificationEndpoint != nil
    for var event in events {
      event.cause = cause
      if notifies {
        for notification in state.notifications(of: event) {
          outcome.effects.append((.notifications(of: address.world), .notify(notification)))
        }
      }
      event.forEachLineage { lineage in
        guard !touched.contains(where: { $0.lineage == lineage }) else { return }
        touched.append((lineage, state.users(ofLineage: lineage)))
      }
      state.evolve(event)
      let written = event.written
      if events.count == 1 { records = onlyRecord(of: event, written) }
      outcome.events.append(
        .init(
          stored: JournalEvent(name: event.kind.rawValue, at: context.now.milliseconds, body: written.body),
          publication: .account(event, written)))
    }
    outcome.records = records ?? self.records(changedBy: events)
    if touched.count > 1 { touched.sort { $0.lineage < $1.lineage } }
    for (lineage, users) in touched { addEffects(of: lineage, before: users, to: &outcome, in: context) }
    if let family = state.family, let world = context.world, events.contains(where: { $0.kind == .storefrontChanged }) {
      let effect = StoreEffect.storefrontChanged(account: address.key, storefront: familyStorefront(world))
      outcome.effects.append((ActorAddress(world: address.world, kind: .family, key: family), effect))
    }
    return outcome
  }

  /// Where an event is about one transaction, its JSON is in the event's: it is not written twice.
  private func onlyRecord(of event: AccountEvent, _ written: WrittenAccountEvent) -> [StoredRecord]? {
    guard event.records.count == 1, event.finished.isEmpty, let body = written.onlyRecord,
      let record = event.records.first,
      let kept = state.history[record.transactionId], kept == record
    else { return nil }
    return [StoredRecord(record, body: body)]
  }

  /// The transactions that events made or changed, as they are now, each once.
  private func records(changedBy events: [AccountEvent]) -> [StoredRecord] {
    var ids: Set<TransactionID> = []
    for event in events {
      ids.formUnion(event.records.map(\.transactionId))
      ids.formUnion(event.finished)
    }
    return ids.sorted().compactMap { state.history[$0] }.map { StoredRecord($0, body: $0.json) }
  }

  /// What others have to know of a lineage that changed: the users that it belongs to, those that it belonged to before,
  /// and the family.
  private func addEffects(
    of lineage: TransactionID, before: [UUID], to outcome: inout ActorOutcome, in context: ActorContext
  ) {
    let users = state.users(ofLineage: lineage)
    guard !users.isEmpty || !before.isEmpty || state.family != nil, let record = state.latest(ofLineage: lineage) else {
      return
    }
    let info = state.history.renewalInfos[lineage]
    let entitlement = UserEntitlement(account: address.key, record: record, info: info)
    for user in before where !users.contains(user) {
      outcome.effects.append(
        (userAddress(user), .entitlement(EntitlementChanged(entitlement: entitlement, removed: true))))
    }
    for user in users {
      outcome.effects.append(
        (userAddress(user), .entitlement(EntitlementChanged(entitlement: entitlement, removed: false))))
    }
    if let family = state.family, let world = context.world, let effect = familyEffect(record, info, world) {
      outcome.effects.append((ActorAddress(world: address.world, kind: .family, key: family), effect))
    }
  }

  /// What a family is told of where the account buys: nil for the world's storefront.
  private func familyStorefront(_ world: WorldSettings) -> String? {
    state.storefront == world.storefront ? nil : state.storefront
  }

  private func familyEffect(_ record: TransactionRecord, _ info: RenewalInfo?, _ world: WorldSettings) -> StoreEffect? {
    if let item = sharedItem(record, info, world) { return .itemChanged(item) }
    guard info != nil else { return nil }
    // A change to a plan that is not shared takes away what the plan before it gave.
    let lineage = record.originalTransactionId
    let wasShared = state.lineages[lineage]?.products.contains { productId in
      world.catalog.product(productId)?.isFamilyShareable == true
    }
    return wasShared == true ? .itemWithdrawn(SharedItem.ID(account: address.key, lineage: lineage)) : nil
  }

  private func sharedItem(_ record: TransactionRecord, _ info: RenewalInfo?, _ world: WorldSettings) -> SharedItem? {
    guard record.inAppOwnershipType == .purchased, world.catalog.product(record.productId)?.isFamilyShareable == true
    else { return nil }
    let id = SharedItem.ID(account: address.key, lineage: record.originalTransactionId)
    return SharedItem(
      id: id, record: record, renewalInfo: info, shareableSince: state.madeShareable[record.originalTransactionId])
  }

  private func shareableItems(_ world: WorldSettings) -> [SharedItem] {
    Set(state.history.records.map(\.originalTransactionId)).sorted().compactMap { lineage in
      let info = state.history.renewalInfos[lineage]
      return state.history[info?.latestTransactionId ?? lineage].flatMap { sharedItem($0, info, world) }
    }
  }
}
