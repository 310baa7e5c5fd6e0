import FleetTesting
import Foundation
import Shared
import Testing

/// Families, users of the app, and what a world does differently.
@Suite(.timeLimit(.minutes(3)))
struct FleetWorldTests {
  @Test func familiesShareAndStopSharing() async throws {
    try await FleetTesting.Fleet.run(
      ["alice": ["phone"], "kid": ["kid-phone"]], asksToBuy: ["kid"],
      catalog: .file(Repository.path("Fixtures/Demo.storekit"))
    ) { fleet in
      let (smith, kid) = (fleet.family("smith"), fleet.device("kid-phone"))
      try await smith.create(organizer: "alice")
      try await smith.join("kid")
      #expect(try await smith.members() == ["alice", "kid"])
      try await fleet.device("phone").buy(Product.lifetime)
      func has(_ products: Set<String>) async throws {
        try await kid.expect("has \(products)") { $0.unlocked == products && $0.familyShared == products }
      }
      try await has([Product.lifetime])
      try await smith.setSharing(Product.lifetime, of: "alice", on: false)
      try await has([])
      try await smith.setSharing(Product.lifetime, of: "alice", on: true)
      try await has([Product.lifetime])
      try await smith.hideApp(of: "alice")
      try await has([])
      try await smith.hideApp(of: "alice", false)
      try await smith.setPurchaseSharing(on: false)
      try await has([])
      try await smith.setPurchaseSharing(on: true)
      try await fleet.account("kid").setStorefront("DEU")
      try await has([])
      try await fleet.account("kid").setStorefront("USA")
      try await has([Product.lifetime])
      try await fleet.makeFamilyShareable("com.example.app.basic.monthly")
      try await fleet.device("phone").buy("com.example.app.basic.monthly")
      try await has([Product.lifetime, "com.example.app.basic.monthly"])
      #expect(try await kid.buy(Product.coins) == .awaitingApproval)
      #expect(try await fleet.account("kid").pendingPurchases().map(\.reason) == [.askToBuy])
      try await fleet.account("kid").decline()
      try await smith.leave("kid")
      try await has([])
      try await fleet.account("guest").open(asksToBuy: true)
      #expect(try await fleet.account("guest").buy(Product.coins) == nil)
      try await fleet.reset()
      // Nothing is announced; an app reads it at its next launch, once its phone has heard.
      try await fleet.settle()
      try await fleet.device("phone").kill()
      try await fleet.device("phone").launch()
      try await fleet.device("phone").expect("has nothing") { $0.unlocked.isEmpty }
    }
  }

  @Test func theBackendHearsWhatUsersMayUse() async throws {
    try await FleetTesting.Fleet.run(
      ["alice": ["phone"], "bob": ["pad"]], claimPolicy: .transfer, servesHTTP: true
    ) { fleet in
      let (ann, ben) = (fleet.user("ann"), fleet.user(UUID()))
      #expect(try await ann.entitlements().isEmpty)
      try await fleet.device("phone").signIn(ann)
      try await fleet.device("phone").buy(Product.lifetime)
      try await ann.expect(entitledTo: [Product.lifetime])
      let heard = try await ann.expect("owns it") { $0.map(\.status) == [.active] }
      #expect(heard.map(\.account) == ["alice"] && heard.map(\.willAutoRenew) == [nil])
      try await fleet.device("phone").signIn(ben)
      try await ben.expect(entitledTo: [Product.lifetime])
      try await ann.expect(entitledTo: [])
      try await fleet.account("alice").refund(Product.lifetime)
      try await ben.expect("lost it") { $0.map(\.status) == [.revoked] && !$0[0].isEntitled }

      try await fleet.account("bob").buy(Product.seasonPass)
      try await fleet.account("bob").setUser(ann, of: Product.seasonPass)
      try await ann.expect(entitledTo: [Product.seasonPass])
      let failure = await #expect(throws: UnmetExpectation.self) {
        try await ann.expect(entitledTo: [], within: .zero)
      }
      #expect(failure?.seen.contains("\(Product.seasonPass) active") == true)
      await #expect(throws: FleetTestingError.self) {
        try await fleet.account("bob").setUser(ann, of: Product.coins)
      }
      #expect(await fleet.serverURL?.scheme == "http")
      #expect(try await fleet.rootCertificate().isEmpty == false)
    }
  }

  @Test func habitsChangeWhatDevicesDo() async throws {
    let habits = FleetHabits.field.with(.lateListing, 0).with(.duplicateDeliveries, 0)
    try await FleetTesting.Fleet.run(
      ["alice": ["phone"]], rate: .monthlyRenewalEveryFiveMinutes, habits: habits
    ) { fleet in
      let phone = fleet.device("phone")
      try await phone.buy(Product.lifetime)
      try await phone.expect("also hears of it") { $0.updates.map(\.productID) == [Product.lifetime] }
      try await fleet.setHabits(.documented)
      try await phone.buy(Product.seasonPass)
      try await phone.buy(Product.monthly)
      #expect(try await phone.look().updates.count == 1)
      let monthly = try #require(try await fleet.account("alice").transactions().last)
      #expect(monthly.expirationDate?.timeIntervalSince(monthly.purchaseDate) == 300)
      let refusal = await #expect(throws: FleetTestingError.self) {
        try await fleet.setHabits(.with(.duplicateDeliveries, 11))
      }
      #expect(refusal?.message.contains("expected a whole number, 0 to 10") == true)
    }
  }

  @Test func everyHabitHasAName() {
    let names = FleetHabits.Flag.allCases.map(\.rawValue) + FleetHabits.Number.allCases.map(\.rawValue)
    #expect(names.sorted() == Habit.all.map(\.name).sorted())
  }

  @Test func everyRateIsOneOfTheStores() {
    #expect(Set(FleetClock.Rate.allCases.map(\.rawValue)) == Set(TimeRate.allCases.map(\.rawValue)))
  }
}
