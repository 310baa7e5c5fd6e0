import Shared
import Wire

/// Something that happened to a family.
package enum FamilyEvent: Hashable, Sendable {
  case created(organizer: String)
  /// A seat is kept for an account while it is asked whether it is free to join.
  case seatReserved(account: String)
  case seatReleased(account: String)
  case memberJoined(account: String)
  case memberLeft(account: String)
  /// A purchaser's item is new or has changed.
  case itemChanged(SharedItem)
  /// A purchaser's item can be shared no longer.
  case itemWithdrawn(SharedItem.ID)
  /// A purchaser shares a product, or stops.
  case sharingChanged(account: String, productId: String, on: Bool)

  package var name: String {
    switch self {
    case .created: "created"
    case .seatReserved: "seatReserved"
    case .seatReleased: "seatReleased"
    case .memberJoined: "memberJoined"
    case .memberLeft: "memberLeft"
    case .itemChanged: "itemChanged"
    case .itemWithdrawn: "itemWithdrawn"
    case .sharingChanged: "sharingChanged"
    }
  }
}

/// A family: who is in it, and what is shared. The fold of its events.
package struct FamilyState: Hashable, Sendable {
  /// Apple: up to five other people beside the organiser.
  package static let mostMembers = 6

  /// Nil until it is created.
  package private(set) var organizer: String?
  /// In the order of joining.
  package private(set) var members: [String] = []
  package private(set) var reserved: [String] = []
  package private(set) var items: [SharedItem.ID: SharedItem] = [:]
  /// Products that a purchaser does not share.
  package private(set) var withheld: [String: Set<String>] = [:]

  package init() {}

  package mutating func evolve(_ event: FamilyEvent) {
    switch event {
    case .created(let organizer):
      self.organizer = organizer
      reserved.append(organizer)
    case .seatReserved(let account): reserved.append(account)
    case .seatReleased(let account):
      reserved.removeAll { $0 == account }
      // An organiser who could not join has founded nothing: the name is free again.
      if members.isEmpty, reserved.isEmpty { organizer = nil }
    case .memberJoined(let account):
      reserved.removeAll { $0 == account }
      members.append(account)
    case .memberLeft(let account):
      members.removeAll { $0 == account }
      items = items.filter { $0.key.account != account }
      withheld[account] = nil
    case .itemChanged(let item): items[item.id] = item
    case .itemWithdrawn(let id): items[id] = nil
    case .sharingChanged(let account, let productId, let on):
      if on { withheld[account]?.remove(productId) } else { withheld[account, default: []].insert(productId) }
    }
  }

  package func isShared(_ item: SharedItem) -> Bool {
    !(withheld[item.id.account]?.contains(item.record.productId) ?? false)
  }

  /// What `account` gets from the others.
  package func itemsShared(with account: String) -> [SharedItem] {
    items.values
      .filter { $0.id.account != account && isShared($0) && $0.isActive }
      .sorted { ($0.id.account, $0.id.lineage) < ($1.id.account, $1.id.lineage) }
  }

  package func others(than account: String) -> [String] { members.filter { $0 != account } }
}
