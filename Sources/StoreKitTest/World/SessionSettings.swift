import Foundation
import Shared
import StoreKit

/// What a session's properties say. All sessions of a world share them.
struct SessionSettings: Sendable {
  var askToBuyEnabled = false
  var disableDialogs = false
  var interruptedPurchasesEnabled = false
  var shouldEnterBillingRetryOnRenewal = false
  var billingGracePeriodIsEnabled = false
  var storefront = "USA"
  var locale = "en_US"
  var timeRate = SKTestSession.TimeRate.realTime
  var failTransactionsEnabled = false
  var failureError = SKError.Code.unknown

  init() {}

  /// What a configuration file says.
  init(_ settings: CatalogSettings) {
    askToBuyEnabled = settings.isAskToBuyEnabled
    disableDialogs = settings.areDialogsDisabled
    interruptedPurchasesEnabled = settings.areBillingIssuesEnabled
    shouldEnterBillingRetryOnRenewal = settings.areRenewalBillingIssuesEnabled
    billingGracePeriodIsEnabled = settings.isBillingGracePeriodEnabled
    storefront = settings.storefront
    locale = settings.locale
    timeRate = SKTestSession.TimeRate(rawValue: settings.timeRate) ?? .realTime
    failTransactionsEnabled = settings.areTransactionsFailing
  }
}
