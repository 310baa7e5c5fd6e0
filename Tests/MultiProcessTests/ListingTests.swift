import Fleet
import FleetTesting
import Foundation
import PublicMaterial
import Testing

/// Published listings as device apps: each does what its article says.
@Suite(.enabled(if: ListingApps.canBuild, "\(PublicMaterial.absence)"), .serialized, .timeLimit(.minutes(10)))
struct ListingTests {
  private static let monthly = "com.yourcompany.appname.pro_monthly"
  private static let yearly = "com.yourcompany.appname.pro_yearly"
  private static let filter = "com.yourcompany.appname.premium_filter"
  private static let pro = "com.example.app.pro"

  /// What the listings sell.
  private static let catalog = """
    {
      "identifier" : "7A000000", "nonRenewingSubscriptions" : [],
      "products" : [
        {
          "displayPrice" : "1.99", "familyShareable" : false, "internalID" : "7A000001", "localizations" : [],
          "productID" : "\(filter)", "referenceName" : "Filter", "type" : "Consumable"
        },
        {
          "displayPrice" : "9.99", "familyShareable" : true, "internalID" : "7A000002", "localizations" : [],
          "productID" : "\(pro)", "referenceName" : "Pro", "type" : "NonConsumable"
        }
      ],
      "settings" : {"_locale" : "en_US", "_storefront" : "USA"},
      "subscriptionGroups" : [
        {
          "id" : "7A0000A0", "localizations" : [], "name" : "Pro",
          "subscriptions" : [
            {
              "adHocOffers" : [], "codeOffers" : [], "displayPrice" : "4.99", "familyShareable" : true,
              "groupNumber" : 1, "internalID" : "7A000003",
              "introductoryOffer" : {"internalID" : "7A0000F1", "paymentMode" : "free", "subscriptionPeriod" : "P1W"},
              "localizations" : [], "productID" : "\(monthly)", "recurringSubscriptionPeriod" : "P1M",
              "referenceName" : "Monthly", "subscriptionGroupID" : "7A0000A0", "type" : "RecurringSubscription"
            },
            {
              "adHocOffers" : [], "codeOffers" : [], "displayPrice" : "39.99", "familyShareable" : true,
              "groupNumber" : 1, "internalID" : "7A000004",
              "introductoryOffer" : {"internalID" : "7A0000F2", "paymentMode" : "free", "subscriptionPeriod" : "P1W"},
              "localizations" : [], "productID" : "\(yearly)", "recurringSubscriptionPeriod" : "P1Y",
              "referenceName" : "Yearly", "subscriptionGroupID" : "7A0000A0", "type" : "RecurringSubscription"
            }
          ]
        }
      ],
      "version" : {"major" : 4, "minor" : 0}
    }
    """

  private func play(
    _ app: String, _ accounts: [String: [String]] = ["alice": ["pad", "phone"]], families: [String: [String]] = [:],
    _ body: (FleetTesting.Fleet) async throws -> Void
  ) async throws {
    let workplace = try FleetWorkplace()
    let executable = try ListingApps.build(app, in: workplace.path)
    var setup = FleetSetup(
      accounts: accounts, families: families,
      catalog: .file(try workplace.write(Self.catalog, to: "Listings.storekit")),
      clock: .manual(startsAt: Date(timeIntervalSince1970: 1_767_225_600)), gracePeriod: .sixteenDays,
      app: .executable(executable))
    setup.executable = Tool.executable
    setup.workplace = workplace
    try await FleetTesting.Fleet.run(setup, body)
  }

  @Test func everyListingIsInAnApp() {
    let used = Set(ListingApps.listings.values.joined())
    let names = Set(PublicMaterial.listings.map { $0.deletingPathExtension().lastPathComponent })
    // The article's own test runs in StoreKitTestTests.
    #expect(names.subtracting(used) == ["000-5-PurchaseManagerTests"])
  }

  @Test func thePurchaseManagerUnlocksWhatIsBoughtAndLocksWhatIsRefunded() async throws {
    try await play("PurchaseManagerApp") { fleet in
      let (alice, pad, phone) = (fleet.account("alice"), fleet.device("pad"), fleet.device("phone"))
      try await phone.expect("sells three") { $0.message?.hasPrefix("3 products") == true }
      try await phone.buy(Self.filter)
      #expect(try await phone.look().access == .locked, "coins are no subscription")
      try await phone.buy(Self.monthly)
      for device in [pad, phone] { try await device.expect("is subscribed") { $0.access == .unlocked } }
      try await alice.refund(Self.monthly)
      for device in [pad, phone] { try await device.expect("is so no longer") { $0.access == .locked } }

      try await alice.interruptPurchases(true)
      try await phone.buy(Self.yearly)
      try await phone.expect("tells that it waits") { $0.message?.hasSuffix("error none") == false }
      try await alice.interruptPurchases(false)
      try await alice.resolve()
      try await phone.expect("is subscribed again") { $0.access == .unlocked }
      try await phone.fail(.purchase, with: .networkError, times: 1)
      try await phone.buy(Self.filter)
      try await phone.expect("tells of the network") { $0.message?.contains("ネットワーク") == true }
      try await phone.restoreInSilence()
      try await fleet.settle()
      #expect(try await phone.look().unfinished.isEmpty)
    }
  }

  @Test func theStatusGoesThroughALifeAndThePhasesThroughAPurchase() async throws {
    try await play("PurchaseManagerApp", ["alice": ["phone"]]) { fleet in
      let (alice, phone) = (fleet.account("alice"), fleet.device("phone"))
      func status(_ word: String) async throws {
        try await fleet.settle()
        _ = try await phone.buy("status")
        try await phone.expect("is \(word)") { $0.message?.contains("status \(word)") == true }
      }
      try await status("notSubscribed")
      try await phone.buy(Self.monthly)
      try await status("inTrial")
      try await fleet.clock.advance(by: .days(8))
      try await status("active")
      try await alice.failBilling()
      try await fleet.clock.advance(by: .days(31))
      try await status("gracePeriod")
      try await fleet.clock.advance(by: .days(16))
      try await status("billingRetry")
      try await alice.recoverBilling()
      try await status("active")
      try await alice.setAutoRenew(Self.monthly, on: false)
      try await fleet.clock.advance(by: .days(365))
      try await status("expired")
      try await phone.buy(Self.yearly)
      try await alice.refund(Self.yearly)
      try await status("revoked")

      try await phone.hold(.purchase)
      try await phone.startBuying("phased \(Self.pro)")
      try await phone.expect("shows the sheet") { $0.phase == .purchasing && $0.waiting[.purchase] == [Self.pro] }
      try await phone.release(.purchase, cancelling: true)
      try await phone.expect("was cancelled") { $0.phase == .idle }
      try await phone.fail(.purchase, with: .networkError, times: 1)
      #expect(try await phone.buy("phased \(Self.pro)") == .failed)
      try await alice.interruptPurchases(true)
      #expect(try await phone.buy("phased \(Self.pro)") == .awaitingApproval)
      try await alice.interruptPurchases(false)
      #expect(try await phone.buy("phased \(Self.filter)") == .completed)
    }
  }

  @Test func theCachedManagerOpensWithWhatItReadLast() async throws {
    try await play("CachedManagerApp", ["alice": ["phone"]]) { fleet in
      let (alice, phone) = (fleet.account("alice"), fleet.device("phone"))
      try await phone.expect("has nothing") { $0.access == .locked && $0.message == "opened with 0" }
      try await alice.buy(Self.pro)
      try await phone.expect("has it") { $0.unlocked == [Self.pro] && $0.unfinished.isEmpty }
      try await fleet.untilSaved("CachedManagerApp", of: "phone") {
        $0["cached_purchased_product_ids"] as? [String] == [Self.pro]
      }
      try await phone.kill()
      try await phone.goOffline()
      try await phone.launch()
      try await phone.expect("opened with it") { $0.message == "opened with 1" && $0.unlocked == [Self.pro] }
      try await phone.goOnline()
      try await alice.refund(Self.pro)
      try await phone.expect("has it no longer") { $0.access == .locked }
    }
  }

  @Test func theStoreManagerHearsFromOutsideAndKnowsWhenThirtyDaysAreOver() async throws {
    try await play("StoreManagerApp") { fleet in
      let (alice, phone) = (fleet.account("alice"), fleet.device("phone"))
      try await alice.buy(Self.monthly)
      for device in fleet.devices {
        try await device.expect("hears of it") { $0.unlocked == [Self.monthly] && $0.unfinished.isEmpty }
      }
      try await alice.refund(Self.monthly)
      try await phone.expect("hears of the refund") { $0.unlocked.isEmpty }
      guard Faketime.library != nil else { return }
      try await phone.expect("is new") { $0.message == "within the trial" }
      try await fleet.clock.advance(by: .days(29))
      try await phone.expect("is still") { $0.message == "within the trial" }
      try await fleet.clock.advance(by: .days(2))
      try await phone.expect("is no longer") { $0.message == "the trial is over" }
    }
  }

  /// The listing does not finish what is not verified. On one phone: another one of the account would find its own copy
  /// good, and finish the transaction for both.
  @Test func theStoreManagerGetsWhatIsNotVerifiedAtEachLaunch() async throws {
    try await play("StoreManagerApp", ["alice": ["phone"]]) { fleet in
      let (alice, phone) = (fleet.account("alice"), fleet.device("phone"))
      try await phone.tamper(.tampered)
      try await alice.buy(Self.pro)
      for _ in 1...2 {
        try await phone.expect("has seen it, and keeps it") {
          $0.updates.map(\.verificationError) == ["invalidSignature"] && $0.unfinished.count == 1 && $0.unlocked.isEmpty
        }
        try await phone.kill()
        try await phone.launch()
      }
    }
  }

  @Test func thePurchaseStoreSellsOneThing() async throws {
    try await play("PurchaseStoreApp") { fleet in
      let (alice, pad, phone) = (fleet.account("alice"), fleet.device("pad"), fleet.device("phone"))
      try await phone.expect("sells it") { $0.message == "\(Self.pro), no error" }
      try await phone.buy(Self.pro)
      for device in [pad, phone] { try await device.expect("is pro") { $0.access == .unlocked } }
      try await phone.kill()
      try await phone.launch()
      try await phone.expect("is pro at once") { $0.access == .unlocked }
      try await alice.refund(Self.pro)
      for device in [pad, phone] { try await device.expect("is pro no longer") { $0.access == .locked } }
      try await phone.fail(.appStoreSync, with: .networkError, times: 1)
      try await phone.restoreInSilence()
      try await phone.expect("tells of it") { $0.message?.hasSuffix("an error") == true }
    }
  }

  @Test func theSubscriptionStoreKnowsWhoseItIsAndWhatToOffer() async throws {
    try await play(
      "SubscriptionStoreApp", ["alice": ["phone"], "kid": ["kid-phone"]], families: ["smith": ["alice", "kid"]]
    ) { fleet in
      let (alice, phone, kid) = (fleet.account("alice"), fleet.device("phone"), fleet.device("kid-phone"))
      try await phone.expect("offers the trial") { $0.access == .locked && $0.message == "trial" }
      #expect(try await phone.restore() == .nothingToRestore)
      try await phone.buy(Self.monthly)
      try await phone.expect("is premium") { $0.unlocked == [Self.monthly] && $0.familyShared.isEmpty }
      try await kid.expect("shares it") { $0.familyShared == [Self.monthly] && $0.access == .unlocked }
      #expect(try await phone.restore() == .restored)
      try await phone.goOffline()
      #expect(try await phone.restore() == .failed)
      try await phone.goOnline()
      try await alice.setAutoRenew(Self.monthly, on: false)
      try await fleet.clock.advance(by: .days(40))
      try await phone.expect("offers no trial of any plan") { $0.access == .locked && $0.message == "no trial" }
      try await kid.expect("is out, too") { $0.access == .locked }
    }
  }

  /// Its third value ends with the first answer. Asked before the phone's store has loaded, that is an empty one; what waits
  /// for the store instead is in the examples.
  @Test func theSubscriptionStoreBelievesTheEmptyAnswerOfAColdStart() async throws {
    try await play("SubscriptionStoreApp", ["alice": ["phone"]]) { fleet in
      let phone = fleet.device("phone")
      try await phone.buy(Self.monthly)
      try await phone.expect("is premium") { $0.access == .unlocked && $0.unfinished.isEmpty }
      try await phone.kill()
      try await phone.goOffline()
      try await phone.launch()
      try await phone.expect("is so offline, too") { $0.access == .unlocked }
      try await fleet.setHabits(.with(.coldStartEmpty))
      try await phone.kill()
      try await phone.launch()
      try await phone.expect("locks a customer out") { $0.access == .locked }
    }
  }
}

extension FleetDevice {
  /// Taps the restore button of an app that does not say how it ended.
  fileprivate func restoreInSilence() async throws {
    await #expect(throws: FleetTestingError.self) { try await restore() }
  }
}
