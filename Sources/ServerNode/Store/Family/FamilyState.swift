package import Shared

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
  /// Where a member buys; nil for the world's storefront, which is what everybody has at first.
  case storefrontChanged(account: String, storefront: String?)
  /// A member's new item waits for this time before the others get it.
  case grantScheduled(SharedItem.ID, at: StoreTime)
  /// An item waits no longer.
  case grantDue(SharedItem.ID)
  /// A member hides the app among its purchases, or shows it again.
  case appHidden(account: String, hidden: Bool)
  /// The organiser ends purchase sharing, or begins it again.
  case purchaseSharingChanged(on: Bool)
  /// The organiser has left, and with it everybody else: the name is free again.
  case ended

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
    case .storefrontChanged: "storefrontChanged"
    case .grantScheduled: "grantScheduled"
    case .grantDue: "grantDue"
    case .appHidden: "appHidden"
    case .purchaseSharingChanged: "purchaseSharingChanged"
    case .ended: "ended"
    }
  }
}

/// A family: who is in it, and what is shared. The fold of its events.
package struct FamilyState: Hashable, Sendable, Codable {
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
  /// Products that a purchaser has begun to share, though he had bought them before they could be.
  package private(set) var optedIn: [String: Set<String>] = [:]
  /// Of the members that are not in the world's storefront.
  package private(set) var storefronts: [String: String] = [:]
  /// Items that the others do not get before a time.
  package private(set) var waiting: [SharedItem.ID: StoreTime] = [:]
  /// Members that hide the app among their purchases.
  package private(set) var hidden: Set<String> = []
  package private(set) var sharesPurchases = true

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
      waiting = waiting.filter { $0.key.account != account }
      withheld[account] = nil
      optedIn[account] = nil
      storefronts[account] = nil
      hidden.remove(account)
    case .itemChanged(let item):
      items[item.id] = item
      // What is over before its time has come is not granted any more.
      if !item.isActive { waiting[item.id] = nil }
    case .itemWithdrawn(let id):
      items[id] = nil
      waiting[id] = nil
    case .sharingChanged(let account, let productId, let on):
      if on {
        withheld[account]?.remove(productId)
        optedIn[account, default: []].insert(productId)
      } else {
        withheld[account, default: []].insert(productId)
        optedIn[account]?.remove(productId)
      }
    case .storefrontChanged(let account, let storefront): storefronts[account] = storefront
    case .grantScheduled(let id, let time): waiting[id] = time
    case .grantDue(let id): waiting[id] = nil
    case .appHidden(let account, let isHidden):
      if isHidden { hidden.insert(account) } else { hidden.remove(account) }
    case .purchaseSharingChanged(let on): sharesPurchases = on
    case .ended: self = FamilyState()
    }
  }

  // MARK: Questions

  /// Whether `member` gets what becomes of an item. Hiding the app and ending purchase sharing are about non-consumables
  /// alone (Apple: Supporting Family Sharing in your app).
  package func reaches(_ item: SharedItem, _ member: String) -> Bool {
    let owner = item.id.account
    guard owner != member, members.contains(owner), members.contains(member), waiting[item.id] == nil,
      storefronts[owner] == storefronts[member], withheld[owner]?.contains(item.record.productId) != true,
      !awaitsOptIn(item)
    else { return false }
    return item.renewalInfo != nil || (sharesPurchases && !hidden.contains(owner))
  }

  /// Whether its purchaser has to share it first.
  func awaitsOptIn(_ item: SharedItem) -> Bool {
    item.needsOptIn && optedIn[item.id.account]?.contains(item.record.productId) != true
  }

  package func others(than account: String) -> [String] { members.filter { $0 != account } }

  /// The time before which the others do not get an item: a purchase can be undone for a while. What goes on, renews or
  /// recovers does not wait. What was bought before it could be shared waits from the moment when it can.
  func wait(for item: SharedItem, now: StoreTime, delay: Int64) -> StoreTime? {
    let known = items[item.id]
    guard item.isActive, known?.isActive != true,
      item.record.transactionReason == .purchase || item.shareableSince != nil,
      known?.record.transactionId != item.record.transactionId
    else { return nil }
    let start = max(item.record.purchaseDate, item.shareableSince ?? item.record.purchaseDate)
    let end = start.advanced(by: delay)
    return end > now ? end : nil
  }

  /// The durable timers that this state asks for.
  package var timers: [String: StoreTime] {
    Dictionary(uniqueKeysWithValues: waiting.map { (FamilyTimer.grant($0.key).name, $0.value) })
  }
}

/// The names of a family's timers.
package enum FamilyTimer: Hashable, Sendable {
  /// A member's item has waited long enough.
  case grant(SharedItem.ID)

  package var name: String {
    switch self {
    case .grant(let id): "grant/\(id.account)/\(id.lineage)"
    }
  }

  package init?(name: String) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "grant", let lineage = TransactionID(parts[2]) else { return nil }
    self = .grant(SharedItem.ID(account: String(parts[1]), lineage: lineage))
  }
}
