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
    case .joinAnswered, .itemChanged, .itemWithdrawn, .storefrontChanged, .memberReset, .entitlement,
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
    var touched: [TransactionID: Set<UUID>] = [:]
    // Apple: without a URL nothing is sent, and nothing is kept.
    let notifies = context.world?.notificationEndpoint != nil
    for var event in events {
      event.cause = cause
      if notifies {
        for notification in state.notifications(of: event) {
          outcome.effects.append((.notifications(of: address.world), .notify(notification)))
        }
      }
      for lineage in event.lineages where touched[lineage] == nil {
        touched[lineage] = state.users(ofLineage: lineage)
      }
      state.evolve(event)
      outcome.events.append(
        .init(
          stored: JournalEvent(name: event.kind.rawValue, at: context.now.milliseconds, body: event.json),
          publication: .account(event)))
    }
    outcome.records = records(changedBy: events)
    for (lineage, users) in touched.sorted(by: { $0.key < $1.key }) {
      outcome.effects += effects(of: lineage, before: users, in: context)
    }
    if let family = state.family, let world = context.world, events.contains(where: { $0.kind == .storefrontChanged }) {
      let effect = StoreEffect.storefrontChanged(account: address.key, storefront: familyStorefront(world))
      outcome.effects.append((ActorAddress(world: address.world, kind: .family, key: family), effect))
    }
    return outcome
  }

  /// The transactions that events made or changed, as they are now, each once.
  private func records(changedBy events: [AccountEvent]) -> [StoredRecord] {
    if events.count == 1, events[0].records.count == 1, events[0].finished.isEmpty {
      return state.history[events[0].records[0].transactionId].map { [StoredRecord($0, body: $0.json)] } ?? []
    }
    var ids: Set<TransactionID> = []
    for event in events {
      ids.formUnion(event.records.map(\.transactionId))
      ids.formUnion(event.finished)
    }
    return ids.sorted().compactMap { state.history[$0] }.map { StoredRecord($0, body: $0.json) }
  }

  /// What others have to know of a lineage that changed: the users that it belongs to, those that it belonged to before,
  /// and the family.
  private func effects(
    of lineage: TransactionID, before: Set<UUID>, in context: ActorContext
  ) -> [(target: ActorAddress, effect: StoreEffect)] {
    let info = state.history.renewalInfos[lineage]
    guard let record = state.latest(ofLineage: lineage) else { return [] }
    var effects: [(target: ActorAddress, effect: StoreEffect)] = []
    let users = state.users(ofLineage: lineage)
    let lost = before.subtracting(users).sorted().map { ($0, true) }
    for (token, removed) in lost + users.sorted().map({ ($0, false) }) {
      let target = userAddress(token)
      let entitlement = UserEntitlement(account: address.key, record: record, info: info)
      effects.append((target, .entitlement(EntitlementChanged(entitlement: entitlement, removed: removed))))
    }
    if let family = state.family, let world = context.world, let effect = familyEffect(record, info, world) {
      effects.append((ActorAddress(world: address.world, kind: .family, key: family), effect))
    }
    return effects
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
