import Shared

/// A monthly plan and a weekly one, without offers.
enum BenchCatalog {
  static let monthly = "com.example.app.monthly"
  static let weekly = "com.example.app.weekly"

  /// When `count` months from the start are over.
  static func end(ofMonths count: Int) throws -> StoreTime {
    guard let month = SubscriptionPeriod(1, .month) else { throw BenchStore.Failed(description: "no such period") }
    return TimeRate.realTime.end(of: month, times: count, from: BenchStore.start)
  }

  static let text = """
    {
      "identifier": "BENCH", "settings": {"_storefront": "USA", "_locale": "en_US"},
      "version": {"major": 4, "minor": 0}, "products": [], "nonRenewingSubscriptions": [],
      "subscriptionGroups": [
        {"id": "G1", "name": "Main", "localizations": [], "subscriptions": [
          {"type": "RecurringSubscription", "productID": "com.example.app.monthly", "internalID": "11",
           "displayPrice": "9.99", "referenceName": "Monthly", "familyShareable": false, "groupNumber": 1,
           "subscriptionGroupID": "G1", "recurringSubscriptionPeriod": "P1M", "localizations": [], "codeOffers": [],
           "adHocOffers": []},
          {"type": "RecurringSubscription", "productID": "com.example.app.weekly", "internalID": "12",
           "displayPrice": "2.99", "referenceName": "Weekly", "familyShareable": false, "groupNumber": 2,
           "subscriptionGroupID": "G1", "recurringSubscriptionPeriod": "P1W", "localizations": [], "codeOffers": [],
           "adHocOffers": []}
        ]}
      ]
    }
    """
}
