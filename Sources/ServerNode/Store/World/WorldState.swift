import Foundation
package import Shared
package import Wire

/// Something that happened to a world.
package enum WorldEvent: Hashable, Sendable {
  case created(CreateWorld)
  case accountOpened(AccountProfile)
  /// A manual clock was moved; the timers on the way are played after this is on disk, each at its own time.
  case clockMoved(to: StoreTime)
  case timeRateChanged(TimeRate)
  /// Whether the purchases of all accounts are interrupted.
  case interruptionChanged(on: Bool)
  case habitsChanged(Habits)
  /// The clock is left to the machine's; stopping it is `clockMoved` to where it is.
  case clockReleased
  case settingsChanged(ChangeWorld)
  /// Where notifications go from then on.
  case notificationURLChanged(NotificationURLs.Kind, NotificationEndpoint?)
  /// A product can be shared with families from now on.
  case madeShareable(productId: String)
  /// All who subscribe to a product are to be extended; the accounts follow one by one.
  case extensionStarted(ExtendAllSubscriptions, at: StoreTime)
  /// One account has followed. The answer of the last one completes it.
  case extensionAnswered(ExtensionAnswer)
  /// From here on nothing but the reset happens; the timer that it sets erases, whenever the node is there to do it.
  case resetStarted(at: StoreTime)
  /// Everything is erased; the accounts are opened anew by the events that follow.
  case resetDone

  package var name: String {
    switch self {
    case .created: "created"
    case .accountOpened: "accountOpened"
    case .clockMoved: "clockMoved"
    case .timeRateChanged: "timeRateChanged"
    case .interruptionChanged: "interruptionChanged"
    case .habitsChanged: "habitsChanged"
    case .clockReleased: "clockReleased"
    case .settingsChanged: "settingsChanged"
    case .notificationURLChanged: "notificationURLChanged"
    case .madeShareable: "madeShareable"
    case .extensionStarted: "extensionStarted"
    case .extensionAnswered: "extensionAnswered"
    case .resetStarted: "resetStarted"
    case .resetDone: "resetDone"
    }
  }
}

/// A world: its settings, its clock, and who has an account. The fold of its events.
package struct WorldState: Sendable {
  /// Nil until it is created.
  package private(set) var settings: CreateWorld?
  package private(set) var catalog: Catalog?
  package private(set) var accounts: [String: AccountProfile] = [:]
  /// By the number that each has.
  private var names: [UInt64: String] = [:]
  /// By request identifier.
  package private(set) var extensionRuns: [String: ExtensionRun] = [:]
  /// The highest that an account was given.
  private var lastOrdinal: UInt64 = 0
  /// Set while a reset is under way.
  package private(set) var resetStarted: StoreTime?
  /// How long periods last now; the settings keep what it was at first.
  package private(set) var timeRate = TimeRate.realTime
  package private(set) var interruptsPurchases = false
  package private(set) var asksToBuy = false
  package private(set) var gracePeriod: GracePeriod?
  /// The catalogue's text, as it was given last.
  package private(set) var catalogText = ""
  /// What they are now; the settings keep what was asked for at first.
  package private(set) var habits = Habits()
  /// Where notifications go now.
  package private(set) var notificationURLs = NotificationURLs()
  /// Where a manual clock stands.
  package private(set) var manualNow: StoreTime?

  package init() {}

  package mutating func evolve(_ event: WorldEvent) throws {
    switch event {
    case .created(let settings):
      self.settings = settings
      catalog = try Catalog(data: Data(settings.catalog.utf8), file: "catalogue")
      catalogText = settings.catalog
      gracePeriod = settings.gracePeriod
      timeRate = settings.timeRate
      habits = settings.habits?.applied(to: Habits()) ?? Habits()
      notificationURLs = settings.notificationURLs ?? NotificationURLs()
      if case .manual(let start) = settings.clock { manualNow = start }
    case .accountOpened(let profile):
      if let before = accounts[profile.name] { names[before.ordinal] = nil }
      accounts[profile.name] = profile
      names[profile.ordinal] = profile.name
      lastOrdinal = max(lastOrdinal, profile.ordinal)
    case .resetStarted(let time): resetStarted = time
    case .resetDone:
      resetStarted = nil
      extensionRuns = [:]
    case .clockMoved(let time): manualNow = time
    case .timeRateChanged(let rate): timeRate = rate
    case .interruptionChanged(let on): interruptsPurchases = on
    case .habitsChanged(let habits): self.habits = habits
    case .clockReleased: manualNow = nil
    case .settingsChanged(let change): try apply(change)
    case .notificationURLChanged(let kind, let endpoint): notificationURLs[kind] = endpoint
    case .madeShareable(let product): catalog = catalog?.sharing(product)
    case .extensionStarted(let order, let time):
      extensionRuns[order.requestIdentifier] = ExtensionRun(order, accounts: accounts.keys, at: time)
    case .extensionAnswered(let answer): extensionRuns[answer.requestIdentifier]?.note(answer)
    }
  }

  // MARK: Changes

  mutating func replaceCatalog(_ catalog: Catalog, text: String) {
    self.catalog = catalog
    catalogText = text
  }

  mutating func localizeCatalog(storefront: String?, locale: String?) {
    catalog = catalog?.localized(storefront: storefront, locale: locale)
  }

  mutating func setGracePeriod(_ gracePeriod: GracePeriod?) { self.gracePeriod = gracePeriod }

  mutating func setAsksToBuy(_ asks: Bool) { asksToBuy = asks }

  /// The clock's reading when the machine's says `machine`.
  package func now(machine: StoreTime) -> StoreTime { manualNow ?? machine }

  package func settings(of world: String, offersKey: OffersKey? = nil) -> WorldSettings? {
    guard let settings, let catalog else { return nil }
    return WorldSettings(
      world: world, catalog: catalog, bundleId: settings.bundleId, environment: settings.environment,
      timeRate: timeRate, gracePeriod: gracePeriod, claimPolicy: settings.claimPolicy ?? .keep,
      familyGrantDelay: settings.familyGrantDelay ?? 0, habits: habits, offersKey: offersKey,
      interruptsPurchases: interruptsPurchases, asksToBuy: asksToBuy,
      notificationEndpoint: notificationURLs.endpoint(for: .init(environment: settings.environment)))
  }

  /// What every actor of the world needs to know. A second copy of the accounts would be copied anew with each account
  /// that is opened.
  package var withoutAccounts: WorldState {
    var state = self
    state.accounts = [:]
    state.names = [:]
    state.extensionRuns = [:]
    return state
  }

  // MARK: Decisions

  /// Where calendar sums work and dates can be printed.
  private static let clockRange = StoreTime(milliseconds: 0)...StoreTime.endOfCalendar

  /// Apple's families wait up to an hour; a week is room enough to try.
  private static let longestGrantDelay: Int64 = 7 * 86_400_000

  package func decide(create settings: CreateWorld, name: String) throws(WireError) -> [WorldEvent] {
    guard let existing = self.settings else {
      do { _ = try Catalog(data: Data(settings.catalog.utf8), file: "catalogue") } catch {
        throw WireError(.badBody, "the catalogue of world '\(name)' cannot be used: \(error)")
      }
      if case .manual(let start) = settings.clock, !WorldState.clockRange.contains(start) {
        throw WireError(
          .badBody, "a clock starts between 1970 and 9999, not at \(start.milliseconds) milliseconds since 1970")
      }
      for kind in NotificationURLs.Kind.allCases { try settings.notificationURLs?[kind]?.check() }
      let delay = settings.familyGrantDelay ?? 0
      guard (0...WorldState.longestGrantDelay).contains(delay) else {
        throw WireError(
          .badBody, "a family waits 0 to \(WorldState.longestGrantDelay) milliseconds for a grant, not \(delay)")
      }
      return [.created(settings)]
    }
    guard existing == settings else {
      throw .refused(.alreadyExists, "world '\(name)' exists already, with other settings")
    }
    return []
  }

  package func decide(open request: OpenAccount, world: String) throws(WireError) -> [WorldEvent] {
    guard ActorAddress.isName(request.account) else {
      throw WireError(
        .badBody, "'\(request.account.prefix(200))' cannot name an account: expected 1 to 128 of A-Z a-z 0-9 . _ - + @")
    }
    if let existing = accounts[request.account] {
      guard existing.asksToBuy == request.asksToBuy, existing.storefront == request.storefront else {
        throw .refused(.alreadyExists, "account '\(request.account)' exists already, with other settings")
      }
      return []
    }
    if let storefront = request.storefront { try AccountProfile.check(storefront: storefront) }
    let ordinal = lastOrdinal + 1
    return [
      .accountOpened(
        AccountProfile(
          name: request.account, ordinal: ordinal,
          appTransactionId: StoreNumbers.appTransactionId(ordinal: ordinal).description,
          asksToBuy: request.asksToBuy, storefront: request.storefront))
    ]
  }

  /// The durable timers that this state asks for.
  package var timers: [String: StoreTime] { resetStarted.map { [WorldState.resetTimer: $0] } ?? [:] }

  package static let resetTimer = "reset"

  package func decideReset(now: StoreTime) -> [WorldEvent] { resetStarted == nil ? [.resetStarted(at: now)] : [] }

  /// The accounts are opened anew, each with an ordinal of its own again: no transaction id comes twice.
  package func decideResetDone() -> [WorldEvent] {
    guard resetStarted != nil else { return [] }
    let profiles = accounts.values.sorted { $0.ordinal < $1.ordinal }
    return [.resetDone]
      + zip(1..., profiles).map { (offset: Int, profile) in
        var profile = profile
        profile.ordinal = lastOrdinal + UInt64(offset)
        return .accountOpened(profile)
      }
  }

  /// Renewals that are scheduled stay where they are; the periods after them have the new lengths.
  package func decide(setTimeRate request: SetTimeRate) -> [WorldEvent] {
    request.timeRate == timeRate ? [] : [.timeRateChanged(request.timeRate)]
  }

  package func decide(setInterruptedPurchases request: SetInterruptedPurchases) -> [WorldEvent] {
    request.on == interruptsPurchases ? [] : [.interruptionChanged(on: request.on)]
  }

  package func decide(setNotificationURL request: SetNotificationURL) throws(WireError) -> [WorldEvent] {
    try request.endpoint?.check()
    if request.kind == nil, request.endpoint == nil {
      return NotificationURLs.Kind.allCases.filter { notificationURLs[$0] != nil }.map {
        .notificationURLChanged($0, nil)
      }
    }
    let kind = request.kind ?? .init(environment: settings?.environment ?? "")
    return request.endpoint == notificationURLs[kind] ? [] : [.notificationURLChanged(kind, request.endpoint)]
  }

  package func decide(setHabits request: SetHabits) -> [WorldEvent] {
    let changed = request.habits.applied(to: habits)
    return changed == habits ? [] : [.habitsChanged(changed)]
  }

  package func decide(share request: SetFamilyShareable, world: String) throws(WireError) -> [WorldEvent] {
    guard let product = catalog?.product(request.productId) else {
      throw .refused(
        .productUnavailable, "the catalogue of world '\(world)' has no product '\(request.productId.prefix(200))'")
    }
    guard product.type.allowsFamilySharing else {
      throw .refused(
        .wrongState,
        "'\(product.id)' cannot be shared with families: only non-consumables and auto-renewable subscriptions can")
    }
    guard !product.isFamilyShareable else {
      throw .refused(
        .wrongState, "'\(product.id)' is shared with families already, which can be turned on once and never off")
    }
    return [.madeShareable(productId: product.id)]
  }

  /// Who has an account with this number; nobody after a reset that gave it another.
  package func account(ordinal: UInt64) -> String? { names[ordinal] }

  /// Who has an account, in the order of opening.
  package var accountEntries: [AccountEntry] {
    accounts.values.sorted { $0.ordinal < $1.ordinal }.map {
      AccountEntry(account: $0.name, asksToBuy: $0.asksToBuy, storefront: $0.storefront)
    }
  }

  /// Where the clock is to go; `nextDue` is the time of the next timer.
  package func decide(advance request: AdvanceClock, nextDue: StoreTime?) throws(WireError) -> [WorldEvent] {
    guard let now = manualNow else {
      throw .refused(.clockNotManual, "the clock of this world runs by itself: only a manual clock can be advanced")
    }
    let target: StoreTime
    switch request.target {
    case .by(let milliseconds): target = now.advanced(by: milliseconds)
    case .to(let time): target = time
    case .nextEvent: target = nextDue ?? now
    }
    guard target >= now else {
      let back = WorldState.clockRange.contains(target) ? "\(target)" : "before 1970"
      throw .refused(.clockBackwards, "the clock stands at \(now) and cannot go back to \(back)")
    }
    guard target <= .endOfCalendar else {
      throw WireError(.badBody, "the clock cannot go beyond the year 9999")
    }
    return target == now ? [] : [.clockMoved(to: target)]
  }
}
