import Shared
package import Wire

/// What a family can be asked to do.
package enum FamilyCommand: Sendable {
  case create(organizer: String)
  case join(account: String)
  case leave(account: String)
  case setSharing(account: String, productId: String, on: Bool)
  /// An account says whether it joins, and what it has to share.
  case joinAnswered(account: String, joins: Bool, items: [SharedItem])
  /// A member's item is new or has changed.
  case itemChanged(SharedItem)
  /// A member's item is one that can be shared no longer.
  case itemWithdrawn(SharedItem.ID)
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
  package func decide(_ command: FamilyCommand, name: String) throws(WireError) -> FamilyDecision {
    if case .create(let organizer) = command { return try create(organizer, name: name) }
    guard organizer != nil else {
      throw WireError(.unknownAddress, "there is no family '\(name)': create it first")
    }
    switch command {
    case .create: return FamilyDecision()
    case .join(let account): return try join(account, name: name)
    case .leave(let account): return try leave(account, name: name)
    case .setSharing(let account, let productId, let on):
      return try setSharing(of: productId, by: account, on: on, name: name)
    case .joinAnswered(let account, let joins, let items):
      guard reserved.contains(account) else { return FamilyDecision() }
      return joins ? admit(account, items) : FamilyDecision([.seatReleased(account: account)])
    case .itemChanged(let item):
      // An item that arrives from a member who has left in the meantime is nobody's any more.
      guard members.contains(item.id.account) else { return FamilyDecision() }
      let isShared = isShared(item)
      // A change to a plan that its owner withholds takes away what the plan before it gave.
      let isLost = !isShared && items[item.id].map { self.isShared($0) } ?? false
      let effects = others(than: item.id.account).compactMap { member -> FamilyEffect? in
        isShared ? .share(item, with: member) : isLost ? .unshare(item.id, from: member) : nil
      }
      return FamilyDecision([.itemChanged(item)], effects: effects)
    case .itemWithdrawn(let id):
      guard items[id] != nil else { return FamilyDecision() }
      return FamilyDecision(
        [.itemWithdrawn(id)], effects: others(than: id.account).map { .unshare(id, from: $0) })
    }
  }

  private func create(_ organizer: String, name: String) throws(WireError) -> FamilyDecision {
    if let existing = self.organizer {
      guard existing == organizer else {
        throw .refused(.alreadyExists, "family '\(name)' exists already, with organiser '\(existing)'")
      }
      // An organiser who has left comes back.
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
    guard members.contains(account) else {
      throw .refused(.notInFamily, "account '\(account)' is no member of family '\(name)'")
    }
    let taken = items.keys.filter { $0.account == account }.sorted { $0.lineage < $1.lineage }
    let losses = others(than: account).flatMap { member in taken.map { FamilyEffect.unshare($0, from: member) } }
    return FamilyDecision([.memberLeft(account: account)], effects: [.tellLeft(account: account)] + losses)
  }

  private func setSharing(
    of productId: String, by account: String, on: Bool, name: String
  ) throws(WireError) -> FamilyDecision {
    guard members.contains(account) else {
      throw .refused(.notInFamily, "account '\(account)' is no member of family '\(name)'")
    }
    guard (withheld[account]?.contains(productId) ?? false) == on else { return FamilyDecision() }
    let affected = items.values
      .filter { $0.id.account == account && $0.record.productId == productId }
      .sorted { $0.id.lineage < $1.id.lineage }
    let effects = others(than: account).flatMap { member in
      affected.compactMap { item -> FamilyEffect? in
        if !on { return .unshare(item.id, from: member) }
        return item.isActive ? .share(item, with: member) : nil
      }
    }
    return FamilyDecision([.sharingChanged(account: account, productId: productId, on: on)], effects: effects)
  }

  private func admit(_ account: String, _ items: [SharedItem]) -> FamilyDecision {
    let brought = items.filter(\.isActive)
    let given = members.flatMap { member in brought.map { FamilyEffect.share($0, with: member) } }
    let got = itemsShared(with: account).map { FamilyEffect.share($0, with: account) }
    return FamilyDecision(
      [.memberJoined(account: account)] + items.map { .itemChanged($0) }, effects: given + got)
  }
}
