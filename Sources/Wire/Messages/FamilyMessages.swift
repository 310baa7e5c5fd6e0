import Shared

/// To a family: makes it, with its organiser as the first member.
package struct CreateFamily: Request {
  package static let name = "createFamily"
  package typealias Reply = Done
  package var organizer: String
  package init(organizer: String) { self.organizer = organizer }
}

/// To a family: an account joins, up to six.
package struct JoinFamily: Request {
  package static let name = "joinFamily"
  package typealias Reply = Done
  package var account: String
  package init(account: String) { self.account = account }
}

/// To a family: a member leaves; what others shared with it goes, and what it shared with others.
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
