import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// When a family gets what a member has bought, and the six ways in which it loses it.
@Suite struct FamilyGrantTests {
  private static let hour: Int64 = 3_600_000
  private let lifetime = "com.example.app.lifetime"

  /// The ways in which sharing can end (RevenueCat/purchases-ios#413, #417).
  enum Ending: String, CaseIterable, Sendable {
    case refund, purchaserLeaves, purchaserStopsSharing, purchaserHidesTheApp, memberLeaves, organiserEndsSharing

    var isOfNonConsumablesAlone: Bool { self == .purchaserHidesTheApp || self == .organiserEndsSharing }

    func happen(in store: StoreHarness) throws {
      let family = store.address(.family, "f")
      switch self {
      case .refund:
        try store.refund("lifetime", of: "mum", reason: 1)
        try store.refund("yearly", of: "mum", reason: 1)
      case .purchaserLeaves: try store.ask(LeaveFamily(account: "mum"), of: family)
      case .purchaserStopsSharing:
        for product in ["lifetime", "yearly"] {
          try store.ask(SetSharing(account: "mum", productId: "com.example.app." + product, on: false), of: family)
        }
      case .purchaserHidesTheApp: try store.ask(SetAppHidden(account: "mum", hidden: true), of: family)
      case .memberLeaves: try store.ask(LeaveFamily(account: "kid"), of: family)
      case .organiserEndsSharing: try store.ask(SetPurchaseSharing(on: false), of: family)
      }
    }
  }

  private func family(delay: Int64? = nil) throws -> StoreHarness {
    let store = try StoreHarness(familyGrantDelay: delay)
    try store.open("dad", "mum", "kid")
    try store.family("f", "dad", "mum", "kid")
    try store.buy("lifetime", by: "mum")
    try store.buy("yearly", by: "mum")
    return store
  }

  @Test(arguments: Ending.allCases) func br27SharingEnds(_ ending: Ending) throws {
    let store = try family()
    #expect(try store.entitled("kid") == ["lifetime", "yearly"])
    try ending.happen(in: store)
    #expect(try store.entitled("kid") == (ending.isOfNonConsumablesAlone ? ["yearly"] : []))
    #expect(try store.entitled("mum") == (ending == .refund ? [] : ["lifetime", "yearly"]))
    let revoked = try store.history(of: "kid").records.compactMap(\.revocation)
    let count = ending.isOfNonConsumablesAlone ? 1 : 2
    #expect(revoked.map(\.reason) == Array(repeating: ending == .refund ? 1 : 0, count: count))
    #expect(revoked.allSatisfy { $0.type == "FAMILY_REVOKE" })
    #expect(try store.events(of: "kid").filter { $0 == "revoked" }.count == revoked.count)
  }

  @Test(arguments: Ending.allCases) func br27SharingEndsWhileTheGrantStillWaits(_ ending: Ending) throws {
    let store = try family(delay: Self.hour)
    try store.advance(minutes: 30)
    try ending.happen(in: store)
    try store.advance(minutes: 60)
    #expect(try store.entitled("kid") == (ending.isOfNonConsumablesAlone ? ["yearly"] : []))
    #expect(try !store.events(of: "kid").contains("revoked"), "there was nothing to take away")
    if ending == .refund || ending == .purchaserLeaves {
      #expect(try store.journal.recover().timers.allSatisfy { $0.actor.kind != .family })
    }
  }

  @Test func br27WhoComesBackGetsTransactionsOfNewIds() throws {
    let store = try family()
    let before = Set(try store.history(of: "kid").records.map(\.transactionId))
    try Ending.memberLeaves.happen(in: store)
    try store.ask(JoinFamily(account: "kid"), of: store.address(.family, "f"))
    let current = Set(try store.history(of: "kid").currentEntitlements().map(\.transactionId))
    #expect(current.count == 2 && current.isDisjoint(with: before))
  }

  @Test func br28GrantsComeOnceTheDelayIsOverAndLookAlikeToNobody() throws {
    let store = try StoreHarness(familyGrantDelay: Self.hour)
    let names = (1...6).map { "m\($0)" }
    for name in names { try store.open(name) }
    try store.family("f", "m1", "m2", "m3", "m4", "m5", "m6")
    try store.buy("yearly", by: "m1")
    try store.advance(minutes: 59)
    for name in names.dropFirst() { #expect(try store.entitled(name).isEmpty) }
    try store.restart()
    try store.advance(minutes: 1)
    let records = try names.flatMap { try store.history(of: $0).records }
    #expect(records.map(\.inAppOwnershipType) == [.purchased] + Array(repeating: .familyShared, count: 5))
    #expect(Set(records.map(\.transactionId)).count == 6 && Set(records.map(\.originalTransactionId)).count == 6)
    #expect(Set(records.map(\.appTransactionId)).count == 6)
  }

  @Test func renewalsAndRecoveriesDoNotWait() throws {
    let store = try StoreHarness(familyGrantDelay: Self.hour)
    try store.open("mum", "kid")
    try store.family("f", "mum", "kid")
    try store.buy("monthly", by: "mum")
    try store.advance(minutes: 60)
    try store.advance(days: 7)
    let renewals = try store.history(of: "mum").records.count
    #expect(renewals > 1)
    #expect(try store.history(of: "kid").records.count == renewals)
    try store.ask(SetBilling(fails: true), of: store.account("mum"))
    try store.advance(days: 31)
    #expect(try store.entitled("kid").isEmpty)
    try store.ask(SetBilling(fails: false), of: store.account("mum"))
    #expect(try store.entitled("kid") == ["monthly"])
  }

  @Test func whoJoinsGetsAtOnceWhatIsOldEnoughAndWaitsForTheRest() throws {
    let store = try StoreHarness(familyGrantDelay: Self.hour)
    try store.open("mum", "kid")
    try store.buy("lifetime", by: "mum")
    try store.advance(minutes: 50)
    try store.buy("yearly", by: "mum")
    try store.advance(minutes: 20)
    try store.family("f", "mum", "kid")
    #expect(try store.entitled("kid") == ["lifetime"])
    try store.advance(minutes: 40)
    #expect(try store.entitled("kid") == ["lifetime", "yearly"])
  }

  @Test func waitingGrantGivesWhatThePurchaseHasBecome() throws {
    let store = try StoreHarness(catalog: AccountStage.catalog, familyGrantDelay: Self.hour)
    try store.open("mum", "kid")
    try store.family("f", "mum", "kid")
    try store.ask(Purchase(productId: "basic.monthly"), of: store.account("mum"))
    try store.advance(minutes: 10)
    try store.ask(Purchase(productId: "pro.monthly"), of: store.account("mum"))
    try store.advance(minutes: 49)
    #expect(try store.history(of: "kid").records.isEmpty)
    try store.advance(minutes: 1)
    #expect(try store.history(of: "kid").currentEntitlements().map(\.productId) == ["pro.monthly"])
  }

  @Test func delayThatIsNoTimeIsRefused() throws {
    let store = try StoreHarness()
    let other = ActorAddress(world: "other", kind: .world, key: "other")
    let settings = CreateWorld(catalog: try StoreHarness.demoCatalog(), familyGrantDelay: -1)
    let error = #expect(throws: WireError.self) { try store.ask(settings, of: other) }
    #expect(error?.code == .badBody)
  }

  @Test func br27HiddenAppAndEndedSharingComeBackAnew() throws {
    let store = try family()
    let family = store.address(.family, "f")
    for round in 1...2 {
      try store.ask(SetAppHidden(account: "mum", hidden: true), of: family)
      #expect(try store.entitled("kid") == ["yearly"])
      try store.ask(SetPurchaseSharing(on: false), of: family)
      try store.ask(SetAppHidden(account: "mum", hidden: false), of: family)
      #expect(try store.entitled("kid") == ["yearly"], "either is enough")
      try store.ask(SetPurchaseSharing(on: true), of: family)
      #expect(try store.entitled("kid") == ["lifetime", "yearly"])
      #expect(try store.history(of: "kid").records.filter { $0.productId == lifetime }.count == round + 1)
    }
    let error = #expect(throws: WireError.self) {
      try store.ask(SetAppHidden(account: "nobody", hidden: true), of: family)
    }
    #expect(error?.refusal == .notInFamily)
  }

  // MARK: Storefronts

  @Test func br31MemberOfAnotherStorefrontGetsNothingUntilItMoves() throws {
    let store = try StoreHarness()
    try store.open("mum", "kid")
    try store.ask(OpenAccount(account: "aunt", storefront: "DEU"), of: store.worldAddress)
    try store.family("f", "mum", "kid", "aunt")
    try store.buy("lifetime", by: "mum")
    try store.buy("yearly", by: "aunt")
    #expect(try store.entitled("kid") == ["lifetime"])
    #expect(try store.entitled("mum") == ["lifetime"])
    #expect(try store.entitled("aunt") == ["yearly"])
    #expect(try store.history(of: "aunt").records.map(\.storefront) == ["DEU"])
    try store.ask(SetStorefront(storefront: "USA"), of: store.account("aunt"))
    try store.ask(SetStorefront(storefront: "USA"), of: store.account("aunt"))
    #expect(try store.entitled("aunt") == ["lifetime", "yearly"])
    #expect(try store.entitled("kid") == ["lifetime", "yearly"])
    #expect(try store.events(of: "aunt").filter { $0 == "granted" }.count == 1)
    // And what moves away is lost.
    try store.ask(SetStorefront(storefront: "FRA"), of: store.account("kid"))
    #expect(try store.entitled("kid").isEmpty)
  }

  @Test func storefrontThatIsNoneIsRefused() throws {
    let store = try StoreHarness()
    try store.open("mum")
    for name in ["usa", "US", "", "U\u{0}A", "USAA"] {
      let error = #expect(throws: WireError.self) {
        try store.ask(SetStorefront(storefront: name), of: store.account("mum"))
      }
      #expect(error?.code == .badBody)
      #expect(throws: WireError.self) {
        try store.ask(OpenAccount(account: "new", storefront: name), of: store.worldAddress)
      }
    }
  }

  @Test func br29OwnAndSharedCopyOfOneProductStandSideBySide() throws {
    let store = try family()
    try store.buy("lifetime", by: "kid")
    func copies() throws -> [OwnershipType] {
      try store.history(of: "kid").currentEntitlements().filter { $0.productId == lifetime }.map(\.inAppOwnershipType)
    }
    #expect(try copies() == [.familyShared, .purchased])
    try store.refund("lifetime", of: "mum")
    #expect(try copies() == [.purchased])
  }
}
