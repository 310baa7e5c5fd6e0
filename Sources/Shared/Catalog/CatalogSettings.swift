/// The switches that Xcode's editor keeps in a configuration file. A file may leave out any of them.
package struct CatalogSettings: Sendable, Hashable, Codable {
  /// Such as `en_US`.
  package var locale = "en_US"
  /// A country code of three capital letters (ISO 3166-1 alpha-3).
  package var storefront = "USA"
  /// The raw value of `SKTestSession.TimeRate`; 0 is real time.
  package var timeRate = 0
  package var isAskToBuyEnabled = false
  package var areDialogsDisabled = false
  package var isBillingGracePeriodEnabled = false
  /// Purchases meet a billing problem and are interrupted.
  package var areBillingIssuesEnabled = false
  /// Renewals meet a billing problem and go to billing retry.
  package var areRenewalBillingIssuesEnabled = false
  package var areTransactionsFailing = false

  package init() {}

  /// The currency that prices of this storefront are in, as an ISO 4217 code.
  package var currency: String { StorefrontCurrency.code(of: storefront) }
}
