import Shared
package import Wire

/// What a family can be asked to do.
package enum FamilyCommand: Sendable {
  case create(organizer: String)
  case join(account: String)
  case leave(account: String)
  case setSharing(account: String, productId: String, on: Bool)
  case setAppHidden(account: String, hidden: Bool)
  case setPurchaseSharing(on: Bool)
  /// An account says whether it joins, where it buys, and what it has to share.
  case joinAnswered(account: String, joins: Bool, items: [SharedItem], storefront: String?)
  /// A member's item is new or has changed.
  case itemChanged(SharedItem)
  /// A member's item is one that can be shared no longer.
  case itemWithdrawn(SharedItem.ID)
  /// A member has moved; nil for the world's storefront.
  case storefrontChanged(account: String, storefront: String?)
  /// A member has lost its history, and with it what was shared.
  case memberReset(String)
  case timer(FamilyTimer)
}

/// What a family does to an account.
package enum FamilyEffect: Hashable, Sendable {
  case askToJoin(account: String)
  case tellLeft(account: String)
  case share(SharedItem, with: String)
  case unshare(SharedItem.ID, from: String)
}

package struct FamilyDecision: Hashable, Sendable {
  package var events: [FamilyEvent] = []
  package var effects: [FamilyEffect] = []
  /// The reply waits until the account has answered.
  package var awaitsAnswer = false

  package init(_ events: [FamilyEvent] = [], effects: [FamilyEffect] = [], awaitsAnswer: Bool = false) {
    self.events = events
    self.effects = effects
    self.awaitsAnswer = awaitsAnswer
  }
}

extension FamilyState {
  package func decide(
    _ command: FamilyCommand, name: String, in context: StoreContext
  ) throws(WireError) -> FamilyDecision {
    if case .create(let organizer) = command { return try create(organizer, name: name) }
    guard organizer != nil else { return try decideWithoutFamily(command, name: name) }
    switch command {
    case .create: return FamilyDecision()
    case .join(let account): return try join(account, name: name)
    case .leave(let account): return try leave(account, name: name)
    case .setSharing(let account, let productId, let on):
      try checkMember(account, name)
      let isWithheld = withheld[account]?.contains(productId) ?? false
      let waits =
        on
        && items.values.contains {
          $0.id.account == account && $0.record.productId == productId && awaitsOptIn($0)
        }
      guard isWithheld == on || waits else { return FamilyDecision() }
      return spread([.sharingChanged(account: account, productId: productId, on: on)])
    case .setAppHidden(let account, let hidden):
      try checkMember(account, name)
      return self.hidden.contains(account) == hidden ? .init() : spread([.appHidden(account: account, hidden: hidden)])
    case .setPurchaseSharing(let on):
      return sharesPurchases == on ? .init() : spread([.purchaseSharingChanged(on: on)])
    case .joinAnswered(let account, let joins, let items, let storefront):
      // Who was asked by a family that has ended since belongs to nobody, though the name may be in use again.
      guard reserved.contains(account) else { return joins ? turnAway(account) : FamilyDecision() }
      return joins ? admit(account, items, storefront, in: context) : .init([.seatReleased(account: account)])
    case .itemChanged(let item):
      // An item that arrives from a member who has left in the meantime is nobody's any more.
      return members.contains(item.id.account) ? spread(taking(item, in: context)) : FamilyDecision()
    case .itemWithdrawn(let id): return items[id] == nil ? FamilyDecision() : spread([.itemWithdrawn(id)])
    case .storefrontChanged(let account, let storefront):
      guard members.contains(account), storefronts[account] != storefront else { return FamilyDecision() }
      return spread([.storefrontChanged(account: account, storefront: storefront)])
    case .memberReset(let account):
      guard members.contains(account) else { return FamilyDecision() }
      // The account has left by itself; an organiser takes the others along.
      return account == organizer ? end(telling: others(than: account)) : spread([.memberLeft(account: account)])
    case .timer(.grant(let id)):
      guard let due = waiting[id], due <= context.now else { return FamilyDecision() }
      return spread([.grantDue(id)])
    }
  }

  /// There is no such family, or none any more: then what its members of before have sent is of no consequence.
  private func decideWithoutFamily(_ command: FamilyCommand, name: String) throws(WireError) -> FamilyDecision {
    switch command {
    case .joinAnswered(let account, joins: true, _, _): return turnAway(account)
    case .joinAnswered, .itemChanged, .itemWithdrawn, .storefrontChanged, .memberReset, .timer: return FamilyDecision()
    default: throw WireError(.unknownAddress, "there is no family '\(name)': create it first")
    }
  }

  private func turnAway(_ account: String) -> FamilyDecision {
    members.contains(account) ? FamilyDecision() : FamilyDecision(effects: [.tellLeft(account: account)])
  }

  private func checkMember(_ account: String, _ name: String) throws(WireError) {
    guard members.contains(account) else {
      throw .refused(.notInFamily, "account '\(account)' is no member of family '\(name)'")
    }
  }

  private func create(_ organizer: String, name: String) throws(WireError) -> FamilyDecision {
    if let existing = self.organizer {
      guard existing == organizer else {
        throw .refused(.alreadyExists, "family '\(name)' exists already, with organiser '\(existing)'")
      }
      return try join(organizer, name: name)
    }
    return FamilyDecision(
      [.created(organizer: organizer)], effects: [.askToJoin(account: organizer)], awaitsAnswer: true)
  }

  private func join(_ account: String, name: String) throws(WireError) -> FamilyDecision {
    if members.contains(account) { return FamilyDecision() }
    if reserved.contains(account) { return FamilyDecision(awaitsAnswer: true) }
    guard members.count + reserved.count < FamilyState.mostMembers else {
      throw .refused(
        .familyFull, "family '\(name)' has \(FamilyState.mostMembers) members, the most that a family can have")
    }
    return FamilyDecision(
      [.seatReserved(account: account)], effects: [.askToJoin(account: account)], awaitsAnswer: true)
  }

  private func leave(_ account: String, name: String) throws(WireError) -> FamilyDecision {
    try checkMember(account, name)
    if account == organizer { return end(telling: others(than: account) + [account]) }
    var decision = spread([.memberLeft(account: account)])
    decision.effects.insert(.tellLeft(account: account), at: 0)
    return decision
  }

  /// Apple: when the organiser leaves, the family is disbanded (Leave Family Sharing). Each member leaves as it would
  /// alone: what others shared with it goes.
  private func end(telling accounts: [String]) -> FamilyDecision {
    FamilyDecision(
      members.map { .memberLeft(account: $0) } + [.ended], effects: accounts.map { .tellLeft(account: $0) })
  }

  private func admit(
    _ account: String, _ items: [SharedItem], _ storefront: String?, in context: StoreContext
  ) -> FamilyDecision {
    let moved = storefront.map { [FamilyEvent.storefrontChanged(account: account, storefront: $0)] } ?? []
    return spread(
      [.memberJoined(account: account)] + moved + items.flatMap { taking($0, in: context) })
  }

  private func taking(_ item: SharedItem, in context: StoreContext) -> [FamilyEvent] {
    let wait = wait(for: item, now: context.now, delay: context.world.familyGrantDelay)
    return [.itemChanged(item)] + (wait.map { [.grantScheduled(item.id, at: $0)] } ?? [])
  }

  /// The events, and what they give to each member and take from each: the difference between what reached it before
  /// and what reaches it afterwards.
  private func spread(_ events: [FamilyEvent]) -> FamilyDecision {
    var next = self
    for event in events { next.evolve(event) }
    let ids = Set(items.keys).union(next.items.keys)
      .sorted { ($0.account, $0.lineage) < ($1.account, $1.lineage) }
    let effects = next.members.flatMap { member in
      ids.compactMap { id -> FamilyEffect? in change(of: id, for: member, next) }
    }
    return FamilyDecision(events, effects: effects)
  }

  private func change(of id: SharedItem.ID, for member: String, _ next: FamilyState) -> FamilyEffect? {
    let old = items[id].flatMap { reaches($0, member) ? $0 : nil }
    let new = next.items[id].flatMap { next.reaches($0, member) ? $0 : nil }
    guard let new else {
      // Something bought anew waits only where there was nothing left to take away.
      return old == nil || next.waiting[id] != nil ? nil : .unshare(id, from: member)
    }
    if old == nil { return new.isActive ? .share(new, with: member) : nil }
    return old == new ? nil : .share(new, with: member)
  }
}
