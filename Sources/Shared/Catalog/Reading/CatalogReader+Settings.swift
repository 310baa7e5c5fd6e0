extension CatalogReader {
  private static let settingKeys: Set = [
    "_applicationInternalID", "_askToBuyEnabled", "_billingGracePeriodEnabled", "_billingIssuesEnabled",
    "_billingRetryEnabled", "_compatibilityTimeRate", "_developerTeamID", "_disableDialogs", "_failTransactionsEnabled",
    "_lastSynchronizedDate", "_lastVerificationError", "_locale", "_renewalBillingIssuesEnabled",
    "_shouldSetupSyncOnLoad", "_storeKitError", "_storeKitErrors", "_storefront", "_timeRate",
  ]

  func settings(_ root: JSONSection) -> CatalogSettings {
    var settings = CatalogSettings()
    guard let section = root.section("settings") else { return settings }
    section.noteUnknownKeys(known: CatalogReader.settingKeys)
    if let locale = section.string("_locale"), !locale.isEmpty { settings.locale = locale }
    if let storefront = storefront(section) { settings.storefront = storefront }
    settings.timeRate = section.integer("_timeRate", in: 0...Int(Int32.max), default: 0)
    settings.isAskToBuyEnabled = section.bool("_askToBuyEnabled")
    settings.areDialogsDisabled = section.bool("_disableDialogs")
    settings.isBillingGracePeriodEnabled = section.bool("_billingGracePeriodEnabled")
    settings.areBillingIssuesEnabled = section.bool("_billingIssuesEnabled")
    settings.areRenewalBillingIssuesEnabled = section.bool("_renewalBillingIssuesEnabled")
    settings.areTransactionsFailing = section.bool("_failTransactionsEnabled")
    for error in section.sections("_storeKitErrors") where error.bool("enabled") {
      findings.warn(error.keyPath, "is switched on, but failures are not taken from the file")
    }
    return settings
  }

  private func storefront(_ section: JSONSection) -> String? {
    guard section.contains("_storefront") else { return nil }
    let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
    guard let code = section.member("_storefront")?.text, code.utf8.count == 3,
      code.utf8.allSatisfy({ capitals.contains($0) })
    else {
      section.refuse("_storefront", expected: "a country code of three capital letters such as \"USA\"")
      return nil
    }
    return code
  }
}
