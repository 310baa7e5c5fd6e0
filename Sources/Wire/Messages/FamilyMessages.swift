import Shared

/// To a family: makes it, with its organiser as the first member.
package struct CreateFamily: Request {
  package static let name = "createFamily"
  package typealias Reply = Done
  package var organizer: String
  package init(organizer: String) { self.organizer = organizer }
}

/// To a family: an account joins, up to six, the organiser included.
package struct JoinFamily: Request {
  package static let name = "joinFamily"
  package typealias Reply = Done
  package var account: String
  package init(account: String) { self.account = account }
}

/// To a family: a member leaves; what others shared with it goes, and what it shared with others. With the organiser
/// everybody leaves, and the family ends.
package struct LeaveFamily: Request {
  package static let name = "leaveFamily"
  package typealias Reply = Done
  package var account: String
  package init(account: String) { self.account = account }
}

/// To a family: a purchaser shares a product with the family again, or stops.
package struct SetSharing: Request {
  package static let name = "setSharing"
  package typealias Reply = Done
  package var account: String
  package var productId: String
  package var on: Bool

  package init(account: String, productId: String, on: Bool) {
    self.account = account
    self.productId = productId
    self.on = on
  }
}

/// To an account: it moves to another storefront. What it has bought stays; a family shares only within one storefront.
package struct SetStorefront: Request {
  package static let name = "setStorefront"
  package typealias Reply = AccountPosition
  /// ISO 3166-1 alpha-3.
  package var storefront: String
  package init(storefront: String) { self.storefront = storefront }
}

/// To a family: a member hides the app among its purchases, or shows it again. Hidden, none of its non-consumables is
/// shared; subscriptions are.
package struct SetAppHidden: Request {
  package static let name = "setAppHidden"
  package typealias Reply = Done
  package var account: String
  package var hidden: Bool

  package init(account: String, hidden: Bool) {
    self.account = account
    self.hidden = hidden
  }
}

/// To a family: the organiser ends purchase sharing, or begins it again. Without it no non-consumable is shared;
/// subscriptions are.
package struct SetPurchaseSharing: Request {
  package static let name = "setPurchaseSharing"
  package typealias Reply = Done
  package var on: Bool
  package init(on: Bool) { self.on = on }
}

/// To a family.
package struct DescribeFamily: Request {
  package static let name = "describeFamily"
  package init() {}

  package struct Reply: Codable, Hashable, Sendable {
    package var organizer: String
    package var members: [String]
    package init(organizer: String, members: [String]) {
      self.organizer = organizer
      self.members = members
    }
  }
}
