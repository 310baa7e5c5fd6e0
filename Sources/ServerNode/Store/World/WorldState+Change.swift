import Foundation
package import Shared
package import Wire

/// Settings of a world that change while it lives.
extension WorldState {
  /// - Parameter now: where the clock is.
  package func decide(
    change request: ChangeWorld, name: String, now: StoreTime
  ) throws(WireError) -> [WorldEvent] {
    if let text = request.catalog {
      do { _ = try Catalog(data: Data(text.utf8), file: "catalogue") } catch {
        throw WireError(.badBody, "the catalogue of world '\(name)' cannot be used: \(error)")
      }
    }
    if let storefront = request.storefront { try AccountProfile.check(storefront: storefront) }
    if let locale = request.locale, !(1...100).contains(locale.utf8.count) {
      throw WireError(.badBody, "'\(locale.prefix(50))' is no locale: expected one such as en_US")
    }
    if let days = request.gracePeriodDays, days != 0, GracePeriod.Length(rawValue: days) == nil {
      throw WireError(.badBody, "a grace period of \(days) days is refused: expected 0 (none), 3, 16 or 28")
    }
    var events: [WorldEvent] = []
    var settings = request
    settings.clock = nil
    if settings != ChangeWorld() { events.append(.settingsChanged(settings)) }
    switch request.clock {
    case .manual where manualNow == nil: events.append(.clockMoved(to: now))
    case .real where manualNow != nil: events.append(.clockReleased)
    default: break
    }
    return events
  }

  mutating func apply(_ change: ChangeWorld) throws {
    if let text = change.catalog { replaceCatalog(try Catalog(data: Data(text.utf8), file: "catalogue"), text: text) }
    if change.storefront != nil || change.locale != nil {
      localizeCatalog(storefront: change.storefront, locale: change.locale)
    }
    if let days = change.gracePeriodDays { setGracePeriod(GracePeriod.Length(rawValue: days).map { GracePeriod($0) }) }
    if let asks = change.asksToBuy { setAsksToBuy(asks) }
  }
}
