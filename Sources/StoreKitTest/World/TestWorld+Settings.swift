import Foundation
import Shared
import StoreKit
import Synchronization
import Wire

/// What the properties of sessions change.
extension TestWorld {
  /// A session is opened on this configuration. As with Apple one is active at a time: another one takes its place, and
  /// what was bought of the one before is gone.
  func adopt(_ configuration: StoreKitConfiguration) throws(SKTestError) {
    changes.lock()
    defer { changes.unlock() }
    ageListeners()
    guard state.withLock({ $0.catalog }) != configuration.text else { return }
    clear()
    try tell(ChangeWorld(catalog: configuration.text), world)
    state.withLock { $0.catalog = configuration.text }
    use(configuration.settings)
  }

  /// These are the defaults from now on.
  func use(_ settings: SessionSettings) {
    state.withLock { $0.defaults = settings }
    change { $0 = settings }
  }

  var settings: SessionSettings { state.withLock { $0.settings } }

  /// Returns when the store goes by the new settings.
  func change(_ body: (inout SessionSettings) -> Void) {
    changes.lock()
    defer { changes.unlock() }
    let before = settings
    var after = before
    body(&after)
    if after.storefront != before.storefront, !move(to: after.storefront) { after.storefront = before.storefront }
    var world = ChangeWorld()
    if after.askToBuyEnabled != before.askToBuyEnabled { world.asksToBuy = after.askToBuyEnabled }
    if after.locale != before.locale { world.locale = after.locale }
    if after.billingGracePeriodIsEnabled != before.billingGracePeriodIsEnabled {
      world.gracePeriodDays = after.billingGracePeriodIsEnabled ? GracePeriod.Length.sixteenDays.rawValue : 0
    }
    if world != ChangeWorld() { tellQuietly(world, self.world) }
    if after.interruptedPurchasesEnabled != before.interruptedPurchasesEnabled {
      tellQuietly(SetInterruptedPurchases(on: after.interruptedPurchasesEnabled), self.world)
    }
    if after.timeRate != before.timeRate { tellQuietly(SetTimeRate(after.timeRate.rate), self.world) }
    if after.shouldEnterBillingRetryOnRenewal != before.shouldEnterBillingRetryOnRenewal {
      for account in accounts { failRenewals(after.shouldEnterBillingRetryOnRenewal, of: account) }
    }
    if after.failTransactionsEnabled != before.failTransactionsEnabled
      || after.failTransactionsEnabled && after.failureError != before.failureError
    {
      let failure = after.failTransactionsEnabled ? SimulatedFailure(after.failureError) : nil
      tellQuietly(AllDevices(SetSimulatedError(api: .purchase, failure: failure)), self.world)
    }
    state.withLock { $0.settings = after }
  }

  /// What is in billing retry stays there until its issue is resolved.
  private func failRenewals(_ fails: Bool, of account: String) {
    tellQuietly(SetBilling(fails: fails, recovers: false), self.account(account))
  }

  /// - Returns: whether there is such a storefront.
  private func move(to storefront: String) -> Bool {
    do throws(SKTestError) {
      // Accounts first: an account that is where its world is says nothing of a move there.
      for account in accounts { try tell(SetStorefront(storefront: storefront), self.account(account)) }
      try tell(ChangeWorld(storefront: storefront), world)
      return true
    } catch {
      TestWorld.log(error.description)
      return false
    }
  }

  // MARK: Clear and reset

  /// Nothing of what was bought is left, on the devices neither, when this returns.
  func clear() {
    changes.lock()
    defer { changes.unlock() }
    tellQuietly(ResetWorld(), world)
    state.withLock {
      $0.ledger = PendingLedger()
      $0.members = []
    }
    if settings.shouldEnterBillingRetryOnRenewal {
      for account in accounts { failRenewals(true, of: account) }
    }
    ageListeners()
  }

  /// Every setting is what the configuration says, nothing fails on purpose, and the clock is the machine's.
  func reset() {
    changes.lock()
    defer { changes.unlock() }
    for api in state.withLock({ Array($0.failures.keys) }) { setFailure(nil, of: api) }
    change { [defaults = state.withLock { $0.defaults }] in $0 = defaults }
    tellQuietly(ChangeWorld(clock: .real), world)
  }

  private func ageListeners() {
    for device in devices { device.ageListeners() }
  }

  // MARK: Failures

  func setFailure(_ source: (any SimulatedFailureSource)?, of api: FailableAPI) {
    changes.lock()
    defer { changes.unlock() }
    tellQuietly(AllDevices(SetSimulatedError(api: api, failure: source?.failure)), world)
    state.withLock { $0.failures[api] = source }
  }
}

extension SimulatedFailure {
  /// What the original StoreKit's error is in today's.
  init(_ code: SKError.Code) {
    self =
      switch code {
      case .paymentCancelled: .userCancelled
      case .paymentNotAllowed: .purchase(.purchaseNotAllowed)
      case .storeProductNotAvailable: .notAvailableInStorefront
      case .cloudServiceNetworkConnectionFailed: .offline
      case .invalidOfferIdentifier: .purchase(.invalidOfferIdentifier)
      case .invalidSignature: .purchase(.invalidOfferSignature)
      case .missingOfferParams: .purchase(.missingOfferParameters)
      case .invalidOfferPrice: .purchase(.invalidOfferPrice)
      case .ineligibleForOffer: .purchase(.ineligibleForOffer)
      case .clientInvalid, .paymentInvalid: .notEntitled
      case .unsupportedPlatform: .unsupported
      default: .unknown
      }
  }
}
