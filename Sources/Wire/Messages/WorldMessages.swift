package import Foundation
package import Shared

/// To `W/world/W`: makes a world. The same settings again change nothing.
package struct CreateWorld: Request, Hashable {
  package static let name = "createWorld"
  package typealias Reply = WorldDescription
  /// The text of a `.storekit` file.
  package var catalog: String
  package var bundleId: String
  /// `Sandbox`, `Production`, `Xcode`, `LocalTesting`.
  package var environment: String
  package var clock: ClockMode
  package var timeRate: TimeRate
  /// Where the world's own entropy starts; nil lets the node choose.
  package var seed: UInt64?
  /// Nil: a renewal that fails takes the access away at once.
  package var gracePeriod: GracePeriod?
  /// Nil for `keep`.
  package var claimPolicy: ClaimPolicy?
  /// How long a family waits for what a member has bought, in milliseconds of store time; nil for not at all. Apple: up
  /// to an hour.
  package var familyGrantDelay: Int64?
  /// Nil for all as documented.
  package var habits: HabitChange?
  /// Where notifications go at first; nil for nowhere.
  package var notificationURLs: NotificationURLs?

  /// - Parameter environment: nil for `Sandbox`, or for `Xcode` where the habits are of that profile.
  package init(
    catalog: String, bundleId: String = "com.example.app", environment: String? = nil, clock: ClockMode = .real,
    timeRate: TimeRate = .realTime, seed: UInt64? = nil, gracePeriod: GracePeriod? = nil,
    claimPolicy: ClaimPolicy? = nil, familyGrantDelay: Int64? = nil, habits: HabitChange? = nil,
    notificationURLs: NotificationURLs? = nil
  ) {
    self.catalog = catalog
    self.bundleId = bundleId
    self.environment = environment ?? (habits?.profile == .xcode ? StoreIdentity.xcode : "Sandbox")
    self.clock = clock
    self.timeRate = timeRate
    self.seed = seed
    self.gracePeriod = gracePeriod
    self.claimPolicy = claimPolicy
    self.familyGrantDelay = familyGrantDelay
    self.habits = habits
    self.notificationURLs = notificationURLs
  }
}

/// What happens when a user claims what belongs to another user already.
package enum ClaimPolicy: String, Codable, Hashable, Sendable, CaseIterable {
  /// The claim is refused: it stays with the first.
  case keep
  /// It moves to the user who claims it.
  case transfer
  /// Both have it.
  case share
}

/// How a world's clock runs.
package enum ClockMode: Hashable, Sendable {
  /// With the machine's clock.
  case real
  /// Stands still until it is advanced; starts here.
  case manual(startsAt: StoreTime)
}

/// To `W/world/W`.
package struct DescribeWorld: Request {
  package static let name = "describeWorld"
  package typealias Reply = WorldDescription
  package init() {}
}

package struct WorldDescription: Codable, Hashable, Sendable {
  package var world: String
  package var bundleId: String
  package var environment: String
  package var storefront: String
  package var currency: String
  package var epoch: UInt64
  package var now: StoreTime
  package var clock: ClockMode
  package var timeRate: TimeRate
  /// DER, base64: what verifies all that this world signs.
  package var rootCertificate: Data
  package var catalog: String
  /// Nil for all as documented.
  package var habits: Habits?
  /// Nil for nowhere.
  package var notificationURLs: NotificationURLs?
  /// Nil where access ends at once.
  package var gracePeriod: GracePeriod?

  package init(
    world: String, bundleId: String, environment: String, storefront: String, currency: String, epoch: UInt64,
    now: StoreTime, clock: ClockMode, timeRate: TimeRate, rootCertificate: Data, catalog: String, habits: Habits? = nil,
    notificationURLs: NotificationURLs? = nil, gracePeriod: GracePeriod? = nil
  ) {
    self.world = world
    self.bundleId = bundleId
    self.environment = environment
    self.storefront = storefront
    self.currency = currency
    self.epoch = epoch
    self.now = now
    self.clock = clock
    self.timeRate = timeRate
    self.rootCertificate = rootCertificate
    self.catalog = catalog
    self.habits = habits
    self.notificationURLs = notificationURLs
    self.gracePeriod = gracePeriod
  }
}

/// To `W/node/server` (any world), from a control connection: which worlds there are.
package struct ListWorlds: Request {
  package static let name = "listWorlds"
  package init() {}

  package struct Reply: Codable, Hashable, Sendable {
    /// By name.
    package var worlds: [WorldEntry]
    package init(worlds: [WorldEntry]) { self.worlds = worlds }
  }
}

package struct WorldEntry: Codable, Hashable, Sendable {
  package var world: String
  package init(world: String) { self.world = world }
}

/// To `W/world/W`: makes an account. The same settings again change nothing.
package struct OpenAccount: Request {
  package static let name = "openAccount"
  package typealias Reply = Done
  package var account: String
  /// Whether purchases wait for the family organiser.
  package var asksToBuy: Bool
  /// ISO 3166-1 alpha-3; nil for the world's.
  package var storefront: String?

  package init(account: String, asksToBuy: Bool = false, storefront: String? = nil) {
    self.account = account
    self.asksToBuy = asksToBuy
    self.storefront = storefront
  }
}

/// To `W/world/W`, from a control connection: who has an account, whether they have a device or not.
package struct ListAccounts: Request {
  package static let name = "listAccounts"
  package init() {}

  package struct Reply: Codable, Hashable, Sendable {
    /// In the order in which they were opened.
    package var accounts: [AccountEntry]
    package init(accounts: [AccountEntry]) { self.accounts = accounts }
  }
}

package struct AccountEntry: Codable, Hashable, Sendable {
  package var account: String
  package var asksToBuy: Bool
  /// Where it was opened; nil for the world's storefront.
  package var storefront: String?

  package init(account: String, asksToBuy: Bool, storefront: String?) {
    self.account = account
    self.asksToBuy = asksToBuy
    self.storefront = storefront
  }
}

/// To `W/world/W`: a product is shared with families from now on, which cannot be taken back (App Store Connect: Turn on
/// Family Sharing). What was bought before is shared too, after the wait for grants; who subscribes already has to
/// share it first.
package struct SetFamilyShareable: Request {
  package static let name = "setFamilyShareable"
  package typealias Reply = Done
  package var productId: String
  package init(productId: String) { self.productId = productId }
}

/// To `W/world/W`: everything that was bought is gone, and families and users with it. The settings, the clock and the
/// accounts stay, under a higher epoch. The reply comes when it is done.
package struct ResetWorld: Request {
  package static let name = "resetWorld"
  package typealias Reply = Done
  package init() {}
}

/// To `W/world/W`: moves a manual clock. Every timer on the way is played at its own time, in order, before the reply.
package struct AdvanceClock: Request {
  package static let name = "advanceClock"
  package enum Target: Hashable, Sendable {
    case by(milliseconds: Int64)
    case to(StoreTime)
    /// The instant of the next timer that is due; nothing when there is none.
    case nextEvent
  }
  package var target: Target

  package init(_ target: Target) { self.target = target }

  package struct Reply: Codable, Hashable, Sendable {
    package var now: StoreTime
    package init(now: StoreTime) { self.now = now }
  }
}

/// To `W/world/W`: what is known of each device.
package struct ListDevices: Request {
  package static let name = "listDevices"
  package init() {}

  package struct Reply: Codable, Hashable, Sendable {
    package var devices: [DeviceEntry]
    package init(devices: [DeviceEntry]) { self.devices = devices }
  }
}

package struct DeviceEntry: Codable, Hashable, Sendable {
  package var device: String
  package var account: String
  /// The client node that it lives on.
  package var node: String
  /// Where its account is now.
  package var position: AccountPosition
  /// Nil until the device has said something.
  package var report: DeviceReport?

  package init(device: String, account: String, node: String, position: AccountPosition, report: DeviceReport?) {
    self.device = device
    self.account = account
    self.node = node
    self.position = position
    self.report = report
  }
}

/// To `W/world/W`: waits until no timer is due, every effect is applied, and every launched online device has
/// reported the current position of its account. For those of a client node that has fallen silent nobody waits.
package struct Settle: Request {
  package static let name = "settle"
  package init() {}

  package struct Reply: Codable, Hashable, Sendable {
    package var now: StoreTime
    /// Devices of client nodes that have fallen silent, which may be behind; nil for none.
    package var unheard: [String]?

    package init(now: StoreTime, unheard: [String]? = nil) {
      self.now = now
      self.unheard = unheard
    }
  }
}

/// To `W/world/W`: products of the catalogue, for the App Store's answer to `Product.products(for:)`.
package struct GetProducts: Request {
  package static let name = "getProducts"
  package var ids: [String]

  package init(ids: [String]) { self.ids = ids }

  package struct Reply: Codable, Hashable, Sendable {
    /// Unknown ids are missing.
    package var products: [CatalogProduct]
    package var groups: [String: String]
    package var currency: String
    package var locale: String

    package init(products: [CatalogProduct], groups: [String: String], currency: String, locale: String) {
      self.products = products
      self.groups = groups
      self.currency = currency
      self.locale = locale
    }
  }
}

/// Published on a world's topic as a jump of its manual clock begins, before anything that happens on the way: what
/// time apps have from now on.
package struct ClockMoves: Codable, Hashable, Sendable {
  package static let name = "clockMoves"
  package var to: StoreTime
  package init(to: StoreTime) { self.to = to }
}

/// Published on a world's topic when its clock was moved, after every event of the time in between.
package struct ClockMoved: Codable, Hashable, Sendable {
  package static let name = "clockMoved"
  package var now: StoreTime
  package init(now: StoreTime) { self.now = now }
}
