import Foundation
package import Shared
package import Wire

/// What a decision may know besides the actor's own state: everything comes in from outside, so that the same inputs
/// always give the same events.
package struct StoreContext: Sendable {
  /// Store time. While a clock jump is played, this is the due time of the timer.
  package var now: StoreTime
  package var world: WorldSettings
  /// Names the request that is being decided; nil for timers and effects.
  package var request: RequestID?

  package init(now: StoreTime, world: WorldSettings, request: RequestID? = nil) {
    self.now = now
    self.world = world
    self.request = request
  }
}

/// What every actor of a world needs to know of it.
package struct WorldSettings: Sendable {
  package var world: String
  package var catalog: Catalog
  package var bundleId: String
  package var environment: String
  package var timeRate: TimeRate
  /// With which the developer signs offers; nil until it is open.
  package var offersKey: OffersKey?
  /// Nil for none.
  package var gracePeriod: GracePeriod?
  package var claimPolicy: ClaimPolicy
  /// Milliseconds of store time.
  package var familyGrantDelay: Int64
  /// Whether purchases of all accounts are interrupted.
  package var interruptsPurchases: Bool
  /// Whether all accounts have to ask for what they buy.
  package var asksToBuy: Bool
  package var habits: Habits
  /// Where notifications go; nil for nowhere.
  package var notificationEndpoint: NotificationEndpoint?

  /// Apple: a notification that could not be delivered is tried again in production only.
  package var retriesNotifications: Bool { environment == "Production" }
  /// Apple: Get Notification History.
  package var notificationHistoryDays: Int64 { environment == "Production" ? 180 : 30 }

  /// How often a subscription renews by itself. The rates that Xcode shares with the sandbox have no limit there: Apple
  /// names none for StoreKit Testing.
  package var mostRenewals: Int? {
    switch timeRate {
    case .testFlight, .sandbox2021: timeRate.mostRenewals
    default: environment == "Xcode" ? nil : timeRate.mostRenewals
    }
  }

  package var storefront: String { catalog.settings.storefront }
  package var currency: String { catalog.settings.currency }

  package init(
    world: String, catalog: Catalog, bundleId: String, environment: String, timeRate: TimeRate,
    gracePeriod: GracePeriod? = nil, claimPolicy: ClaimPolicy = .keep, familyGrantDelay: Int64 = 0,
    habits: Habits = Habits(), offersKey: OffersKey? = nil, interruptsPurchases: Bool = false, asksToBuy: Bool = false,
    notificationEndpoint: NotificationEndpoint? = nil
  ) {
    self.world = world
    self.catalog = catalog
    self.bundleId = bundleId
    self.environment = environment
    self.timeRate = timeRate
    self.gracePeriod = gracePeriod
    self.claimPolicy = claimPolicy
    self.familyGrantDelay = familyGrantDelay
    self.habits = habits
    self.offersKey = offersKey
    self.interruptsPurchases = interruptsPurchases
    self.asksToBuy = asksToBuy
    self.notificationEndpoint = notificationEndpoint
  }
}
