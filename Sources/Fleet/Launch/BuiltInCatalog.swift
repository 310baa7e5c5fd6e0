/// What a world sells when nobody says otherwise: a product of each type, so that every command can be tried at once.
package enum BuiltInCatalog {
  /// What messages call it.
  package static let name = "the built-in catalogue"

  /// The text of a `.storekit` file.
  package static let text = """
    {
      "identifier" : "5F0E1D2C",
      "nonRenewingSubscriptions" : [
        {
          "displayPrice" : "9.99", "familyShareable" : false, "internalID" : "5F000003",
          "localizations" : [{"description" : "One season", "displayName" : "Season Pass", "locale" : "en_US"}],
          "productID" : "com.example.app.season", "referenceName" : "Season", "type" : "NonRenewingSubscription"
        }
      ],
      "products" : [
        {
          "displayPrice" : "0.99", "familyShareable" : false, "internalID" : "5F000001",
          "localizations" : [{"description" : "100 coins", "displayName" : "Coins", "locale" : "en_US"}],
          "productID" : "com.example.app.coins", "referenceName" : "Coins", "type" : "Consumable"
        },
        {
          "displayPrice" : "19.99", "familyShareable" : true, "internalID" : "5F000002",
          "localizations" : [{"description" : "Everything, for ever", "displayName" : "Lifetime", "locale" : "en_US"}],
          "productID" : "com.example.app.lifetime", "referenceName" : "Lifetime", "type" : "NonConsumable"
        }
      ],
      "settings" : {"_locale" : "en_US", "_storefront" : "USA"},
      "subscriptionGroups" : [
        {
          "id" : "5F0000A0", "localizations" : [], "name" : "Premium",
          "subscriptions" : [
            {
              "adHocOffers" : [],
              "codeOffers" : [
                {
                  "displayPrice" : "19.99", "eligibility" : ["new", "existing", "expired"], "internalID" : "5F0000C1",
                  "isStackable" : true, "numberOfPeriods" : 1, "paymentMode" : "payUpFront",
                  "referenceName" : "workshop", "subscriptionPeriod" : "P1Y"
                }
              ],
              "displayPrice" : "39.99", "familyShareable" : true,
              "groupNumber" : 1, "internalID" : "5F000004",
              "introductoryOffer" : {"internalID" : "5F0000F1", "paymentMode" : "free", "subscriptionPeriod" : "P1W"},
              "localizations" : [{"description" : "Premium for a year", "displayName" : "Yearly", "locale" : "en_US"}],
              "productID" : "com.example.app.yearly", "recurringSubscriptionPeriod" : "P1Y",
              "referenceName" : "Yearly", "subscriptionGroupID" : "5F0000A0", "type" : "RecurringSubscription"
            },
            {
              "adHocOffers" : [], "codeOffers" : [], "displayPrice" : "4.99", "familyShareable" : true,
              "groupNumber" : 2, "internalID" : "5F000005", "introductoryOffer" : null,
              "localizations" : [{"description" : "Premium for a month", "displayName" : "Monthly", "locale" : "en_US"}],
              "productID" : "com.example.app.monthly", "recurringSubscriptionPeriod" : "P1M",
              "referenceName" : "Monthly", "subscriptionGroupID" : "5F0000A0", "type" : "RecurringSubscription"
            }
          ]
        }
      ],
      "version" : {"major" : 4, "minor" : 0}
    }
    """
}
