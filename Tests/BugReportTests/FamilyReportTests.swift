import ClientNode
import Shared
import Testing
import Wire

/// Public reports about purchases that a family shares.
struct FamilyReportTests {
  enum End: CaseIterable {
    case refund, ownerLeaves, ownerStopsSharing, memberLeaves
  }

  /// RevenueCat/purchases-ios#413, #417; benjaminmayo/merchantkit#59.
  @Test(arguments: End.allCases) func br27SharedAccessEndsOnEveryPhoneOfTheMember(end: End) throws {
    let town = try Town(["o": "owner", "m1": "member", "m2": "member"])
    try town.family("f", "owner", "member")
    for item in [Item.lifetime, .yearly] { try town.buy(item, on: "o") }
    let shared = try town.all("m1").map(\.transactionId)
    #expect(shared.count == 2)
    town.forget("o", "m1", "m2")
    switch end {
    case .refund: for item in [Item.lifetime, .yearly] { try town.refund(item, of: "owner", reason: 1) }
    case .ownerLeaves: try town.leave("f", "owner")
    case .ownerStopsSharing:
      for item in [Item.lifetime, .yearly] {
        try town.ask(
          SetSharing(account: "owner", productId: item.id, on: false), of: town.address(.family, "f"))
      }
    case .memberLeaves: try town.leave("f", "member")
    }
    town.rest()
    for phone in ["m1", "m2"] {
      #expect(try town.entitled(phone).isEmpty, "\(phone)")
      #expect(town.updates(phone).map(\.transactionId).sorted() == shared, "\(phone)")
      #expect(town.updates(phone).allSatisfy { $0.revocation?.reason == (end == .refund ? 1 : 0) }, "\(phone)")
    }
    #expect(try Set(town.entitled("o")) == (end == .refund ? [] : [.lifetime, .yearly]))
    guard end == .memberLeaves else { return }
    try town.ask(JoinFamily(account: "member"), of: town.address(.family, "f"))
    town.rest()
    let again = try town.entitlements("m1").map(\.transactionId)
    #expect(again.count == 2 && Set(again).isDisjoint(with: shared))
  }

  /// Apple developer forums 744155.
  @Test func br28EveryMemberHasATransactionOfItsOwnAndOneIsSold() throws {
    let town = try Town(["o": "m0"])
    let members = (0..<6).map { "m\($0)" }
    for member in members.dropFirst() { try town.open(member) }
    try town.family("f", "m0", "m1", "m2", "m3", "m4", "m5")
    try town.buy(.yearly, on: "o")
    let records = try members.map { try #require(try town.history(of: $0).records.last) }
    #expect(records.map(\.inAppOwnershipType) == [.purchased] + Array(repeating: .familyShared, count: 5))
    #expect(Set(records.map(\.transactionId)).count == 6)
    #expect(Set(records.map(\.originalTransactionId)).count == 6)
    #expect(Set(records.map(\.appTransactionId)).count == 6)
  }

  /// hyodotdev/openiap#42.
  @Test func br29OwnAndSharedAreBothThereAndEachAnswersForItself() throws {
    let town = try Town(["o": "owner", "m": "member"])
    try town.family("f", "owner", "member")
    try town.buy(.basic, on: "m")
    try town.buy(.lifetime, on: "m")
    try town.buy(.yearly, on: "o")
    try town.buy(.lifetime, on: "o")
    func owned(_ item: Item) throws -> [OwnershipType] {
      try town.entitlements("m").filter { $0.productId == item.id }.map(\.inAppOwnershipType)
    }
    #expect(try Set(owned(.lifetime)) == [.purchased, .familyShared])
    #expect(try owned(.lifetime).count == 2)
    #expect(try owned(.basic) == [.purchased])
    #expect(try owned(.yearly) == [.familyShared])
    try town.refund(.lifetime, of: "owner")
    #expect(try owned(.lifetime) == [.purchased])
    // A member may still move up by itself.
    let upgrade = try town.buy(.yearly, on: "m")
    #expect(upgrade.inAppOwnershipType == .purchased)
    #expect(try Set(owned(.yearly)) == [.purchased, .familyShared])
  }

  /// tikhop/TPInAppReceipt#91, partout-io/passepartout#376, NativeScript/payments#23.
  @Test func br31FreshPhoneOfAMemberHasWhatTheFamilyOwnsWithoutARestore() throws {
    let town = try Town(["o": "owner"])
    try town.open("member")
    try town.buy(.lifetime, on: "o")
    try town.family("f", "owner", "member")
    try town.add("m", of: "member")
    #expect(try town.entitled("m") == [.lifetime])
    #expect(try town.unfinished("m").isEmpty)
  }

  /// What moving means to the phones: each shows the storefront of its own account, and its app is told of a change.
  @Test func br31PhoneIsInTheStorefrontOfItsAccount() throws {
    let town = try Town(["o": "owner", "m": "member", "off": "member"])
    func storefront(_ phone: String) throws -> String? {
      guard case .success(.storefront(let value)) = try town.call(.storefront, on: phone) else { return nil }
      return value
    }
    #expect(try storefront("m") == "USA")
    try town.offline("off")
    try town.ask(SetStorefront(storefront: "DEU"), of: town.address(.account, "member"))
    town.rest()
    #expect(try storefront("m") == "DEU" && storefront("o") == "USA")
    #expect(town.phones["m"]?.storefronts == ["DEU"] && town.phones["o"]?.storefronts == [])
    #expect(try storefront("off") == "USA", "it could not hear of it")
    try town.online("off")
    town.rest()
    #expect(try storefront("off") == "DEU")
    #expect(town.phones["off"]?.storefronts == ["DEU"])
    try town.add("fresh", of: "member")
    #expect(try storefront("fresh") == "DEU")
    // What the phone knows survives its restart, and is no news then.
    try town.reboot("m")
    #expect(try storefront("m") == "DEU")
    #expect(town.phones["m"]?.storefronts == [])
  }
}
