import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Families through the node: who is in, what is shared, what goes again.
@Suite struct FamilyTests {
  private func family(_ name: String) -> ActorAddress { ActorAddress(world: "w", kind: .family, key: name) }

  private func refusal(_ ask: () throws -> Void) -> Refusal? {
    do { try ask() } catch { return (error as? WireError)?.refusal }
    return nil
  }

  @Test func seventhMemberFindsNoSeat() throws {
    let store = try StoreHarness()
    let names = (1...7).map { "m\($0)" }
    for name in names { try store.open(name) }
    try store.family("f", "m1", "m2", "m3", "m4", "m5", "m6")
    #expect(refusal { try store.ask(JoinFamily(account: "m7"), of: family("f")) } == .familyFull)
    _ = try store.ask(LeaveFamily(account: "m3"), of: family("f"))
    _ = try store.ask(JoinFamily(account: "m7"), of: family("f"))
    #expect(try store.ask(DescribeFamily(), of: family("f")).members == ["m1", "m2", "m4", "m5", "m6", "m7"])
  }

  @Test func fullFamilySaysFirstThatAnAccountIsNotThere() throws {
    let store = try StoreHarness()
    let names = (1...6).map { "m\($0)" }
    for name in names { try store.open(name) }
    try store.family("f", "m1", "m2", "m3", "m4", "m5", "m6")
    let error = #expect(throws: WireError.self) { try store.ask(JoinFamily(account: "nobody"), of: family("f")) }
    #expect(error?.code == .unknownAddress && error?.message.contains("no account 'nobody'") == true)
    let stranger = #expect(throws: WireError.self) { try store.ask(JoinFamily(account: "nobody"), of: family("g")) }
    #expect(stranger?.message.contains("no family 'g'") == true)
  }

  // MARK: The end

  /// Apple: when the organiser leaves, the family is disbanded.
  @Test func familyEndsWithItsOrganiser() throws {
    let store = try StoreHarness()
    try store.open("mum", "dad", "kid")
    try store.family("f", "mum", "dad", "kid")
    try store.buy("lifetime", by: "mum")
    try store.buy("monthly", by: "dad")
    #expect(try store.entitled("kid") == ["lifetime", "monthly"])
    _ = try store.ask(LeaveFamily(account: "mum"), of: family("f"))
    #expect(try store.entitled("mum") == ["lifetime"])
    #expect(try store.entitled("dad") == ["monthly"])
    #expect(try store.entitled("kid").isEmpty)
    let lost = try store.history(of: "kid").records.map(\.revocation)
    #expect(lost.allSatisfy { $0?.type == "FAMILY_REVOKE" && $0?.reason == 0 })
    for account in ["mum", "dad", "kid"] { #expect(try store.events(of: account).last == "familyLeft") }
    let error = #expect(throws: WireError.self) { try store.ask(DescribeFamily(), of: family("f")) }
    #expect(error?.code == .unknownAddress)
    // Nobody belongs to it any more: what is bought stays with its owner, and everybody is free.
    try store.buy("lifetime", by: "dad")
    #expect(try store.entitled("kid").isEmpty)
    try store.family("f", "dad", "kid")
    #expect(try store.ask(DescribeFamily(), of: family("f")) == .init(organizer: "dad", members: ["dad", "kid"]))
    #expect(try store.entitled("kid") == ["lifetime", "monthly"])
    try store.restart()
    #expect(try store.ask(DescribeFamily(), of: family("f")) == .init(organizer: "dad", members: ["dad", "kid"]))
  }

  @Test func familyEndsWhenTheOrganisersAccountIsReset() throws {
    let store = try StoreHarness()
    try store.open("mum", "kid")
    try store.family("f", "mum", "kid")
    try store.buy("lifetime", by: "mum")
    _ = try store.ask(ResetAccount(), of: store.account("mum"))
    #expect(try store.entitled("kid").isEmpty)
    #expect(try store.events(of: "kid").last == "familyLeft")
    try store.family("g", "kid", "mum")
  }

  @Test func grantThatWaitsEndsWithTheFamily() throws {
    let store = try StoreHarness(familyGrantDelay: 3_600_000)
    try store.open("mum", "kid")
    try store.family("f", "mum", "kid")
    try store.buy("lifetime", by: "mum")
    _ = try store.ask(LeaveFamily(account: "mum"), of: family("f"))
    try store.advance(days: 1)
    #expect(try store.entitled("kid").isEmpty)
    #expect(try store.events(of: "kid").last == "familyLeft")
  }

  @Test func whoIsAskedWhileTheFamilyEndsBelongsToNobody() throws {
    let store = try StoreHarness()
    try store.open("mum", "kid")
    try store.family("f", "mum")
    store.holdsCommits = true
    let (join, leave) = (RequestID(UUID()), RequestID(UUID()))
    store.send(JoinFamily(account: "kid"), to: family("f"), id: join)
    store.send(LeaveFamily(account: "mum"), to: family("f"), id: leave)
    store.release()
    guard case .failed(let error) = store.reply(to: join)?.outcome, case .ok = store.reply(to: leave)?.outcome else {
      Issue.record("the join should fail, and the leaving succeed")
      return
    }
    #expect(error.message == "family 'f' ended before 'kid' had joined it")
    try store.family("g", "kid")
    try store.family("f", "mum")
    #expect(try store.ask(DescribeFamily(), of: family("f")).members == ["mum"])
  }

  @Test func lastSeatIsForOneThoughTwoAskAtOnce() throws {
    let store = try StoreHarness()
    for name in (1...7).map({ "m\($0)" }) { try store.open(name) }
    try store.family("f", "m1", "m2", "m3", "m4", "m5")
    store.holdsCommits = true
    let ids = [RequestID(UUID()), RequestID(UUID())]
    store.send(JoinFamily(account: "m6"), to: family("f"), id: ids[0])
    store.send(JoinFamily(account: "m7"), to: family("f"), id: ids[1])
    store.release()
    let refusals = ids.map { id -> Refusal? in
      guard case .failed(let error) = store.reply(to: id)?.outcome else { return nil }
      return error.refusal
    }
    #expect(refusals == [nil, .familyFull])
    #expect(try store.ask(DescribeFamily(), of: family("f")).members == ["m1", "m2", "m3", "m4", "m5", "m6"])
    // Who found no seat belongs to nobody, and may found a family.
    try store.family("g", "m7")
    #expect(try store.ask(DescribeFamily(), of: family("g")).members == ["m7"])
  }

  @Test func accountIsInOneFamilyThoughTwoAskAtOnce() throws {
    let store = try StoreHarness()
    try store.open("a", "b", "kid")
    try store.family("f", "a")
    try store.family("g", "b")
    store.holdsCommits = true
    let ids = [RequestID(UUID()), RequestID(UUID())]
    store.send(JoinFamily(account: "kid"), to: family("f"), id: ids[0])
    store.send(JoinFamily(account: "kid"), to: family("g"), id: ids[1])
    store.release()
    let refusals = ids.map { id -> Refusal? in
      guard case .failed(let error) = store.reply(to: id)?.outcome else { return nil }
      return error.refusal
    }
    #expect(refusals == [nil, .alreadyInFamily])
    #expect(try store.ask(DescribeFamily(), of: family("f")).members == ["a", "kid"])
    #expect(try store.ask(DescribeFamily(), of: family("g")).members == ["b"])
    // The seat is free again.
    _ = try store.ask(LeaveFamily(account: "kid"), of: family("f"))
    _ = try store.ask(JoinFamily(account: "kid"), of: family("g"))
  }

  @Test func organiserWhoCannotJoinFoundsNothing() throws {
    let store = try StoreHarness()
    try store.open("a", "b")
    try store.family("f", "a")
    for _ in 0..<2 {
      #expect(refusal { try store.ask(CreateFamily(organizer: "a"), of: family("g")) } == .alreadyInFamily)
    }
    #expect(throws: WireError.self) { try store.ask(DescribeFamily(), of: family("g")) }
    _ = try store.ask(CreateFamily(organizer: "b"), of: family("g"))
    #expect(refusal { try store.ask(CreateFamily(organizer: "a"), of: family("g")) } == .alreadyExists)
    _ = try store.ask(CreateFamily(organizer: "b"), of: family("g"))
    #expect(try store.ask(DescribeFamily(), of: family("g")).members == ["b"])
  }

  @Test func accountThatIsNotThereCannotJoin() throws {
    let store = try StoreHarness()
    try store.open("a")
    try store.family("f", "a")
    let error = #expect(throws: WireError.self) { try store.ask(JoinFamily(account: "nobody"), of: family("f")) }
    #expect(error?.code == .unknownAddress)
    #expect(try store.ask(DescribeFamily(), of: family("f")).members == ["a"])
    #expect(refusal { try store.ask(LeaveFamily(account: "nobody"), of: family("f")) } == .notInFamily)
  }

  @Test func rejoiningGivesNewIds() throws {
    let store = try StoreHarness()
    try store.open("mum", "kid")
    try store.buy("lifetime", by: "mum")
    try store.buy("monthly", by: "mum")
    try store.family("f", "mum", "kid")
    let first = Set(try store.history(of: "kid").currentEntitlements().map(\.originalTransactionId))
    _ = try store.ask(LeaveFamily(account: "kid"), of: family("f"))
    #expect(try store.entitled("kid").isEmpty)
    _ = try store.ask(JoinFamily(account: "kid"), of: family("f"))
    let second = Set(try store.history(of: "kid").currentEntitlements().map(\.originalTransactionId))
    #expect(first.count == 2 && second.count == 2)
    #expect(first.isDisjoint(with: second))
  }

  @Test func whatLapsedWhileSharedIsNotRevokedByLeavingAndComesAnewAfterwards() throws {
    let store = try StoreHarness()
    try store.open("mum", "kid")
    try store.buy("monthly", by: "mum")
    try store.family("f", "mum", "kid")
    _ = try store.ask(
      SetAutoRenew(productId: "com.example.app.monthly", on: false), of: store.account("mum"))
    try store.advance(days: 8)
    #expect(try store.events(of: "kid").last == "expired")
    _ = try store.ask(LeaveFamily(account: "kid"), of: family("f"))
    #expect(try store.events(of: "kid").last == "familyLeft")
    #expect(try store.history(of: "kid").records.allSatisfy { $0.revocation == nil })
    _ = try store.ask(JoinFamily(account: "kid"), of: family("f"))
    try store.buy("monthly", by: "mum")
    #expect(try store.entitled("kid") == ["monthly"])
    #expect(Set(try store.history(of: "kid").records.map(\.originalTransactionId)).count == 2)
  }

  @Test func membersCopiesHaveNoTokenThoughThePurchaserHasOne() throws {
    let store = try StoreHarness()
    try store.open("mum", "kid")
    try store.family("f", "mum", "kid")
    let token = UUID()
    try store.buy("lifetime", by: "mum", token: token)
    try store.buy("monthly", by: "mum", token: token)
    try store.advance(days: 40)
    let (own, shared) = (try store.history(of: "mum"), try store.history(of: "kid"))
    #expect(own.records.allSatisfy { $0.appAccountToken == token })
    #expect(own.renewalInfos.values.map(\.appAccountToken) == [token])
    #expect(shared.records.count == own.records.count && shared.records.count > 2)
    #expect(shared.records.allSatisfy { $0.appAccountToken == nil })
    #expect(shared.renewalInfos.values.map(\.appAccountToken) == [nil])
  }

  @Test func withheldProductIsNotShared() throws {
    let store = try StoreHarness()
    try store.open("mum", "kid")
    try store.buy("lifetime", by: "mum")
    try store.family("f", "mum", "kid")
    let lifetime = "com.example.app.lifetime"
    func share(_ on: Bool) throws {
      _ = try store.ask(SetSharing(account: "mum", productId: lifetime, on: on), of: family("f"))
    }
    try share(false)
    #expect(try store.entitled("kid").isEmpty)
    #expect(try store.entitled("mum") == ["lifetime"])
    #expect(try store.history(of: "kid").records[0].revocation?.reason == 0)
    try share(false)
    try share(true)
    try share(true)
    #expect(try store.entitled("kid") == ["lifetime"])
    #expect(try store.history(of: "kid").records.count == 2)
    #expect(
      refusal { try store.ask(SetSharing(account: "mum", productId: "none", on: true), of: family("f")) }
        == .productUnavailable)
    #expect(
      refusal { try store.ask(SetSharing(account: "dad", productId: lifetime, on: true), of: family("f")) }
        == .notInFamily)
  }

  @Test func purchaseAfterWithholdingStaysWithItsOwner() throws {
    let store = try StoreHarness()
    try store.open("mum", "kid")
    try store.family("f", "mum", "kid")
    _ = try store.ask(
      SetSharing(account: "mum", productId: "com.example.app.lifetime", on: false), of: family("f"))
    try store.buy("lifetime", by: "mum")
    #expect(try store.entitled("kid").isEmpty)
  }

  @Test func planChangesReachTheFamily() throws {
    let store = try StoreHarness(catalog: AccountStage.catalog)
    try store.open("mum", "kid")
    try store.family("f", "mum", "kid")
    func buy(_ product: String) throws { try store.ask(Purchase(productId: product), of: store.account("mum")) }
    func entitled() throws -> [String] { try store.history(of: "kid").currentEntitlements().map(\.productId) }
    try buy("basic.monthly")
    #expect(try entitled() == ["basic.monthly"])
    try buy("pro.monthly")
    #expect(try entitled() == ["pro.monthly"])
    #expect(try store.history(of: "kid").records.map(\.isUpgraded) == [true, false])
    // A plan that is not for families takes the access away, and one that is brings it back.
    try buy("pro.other")
    #expect(try entitled().isEmpty)
    try buy("pro.monthly")
    #expect(try entitled() == ["pro.monthly"])
  }

  @Test func ownAndSharedStandSideBySide() throws {
    let store = try StoreHarness()
    try store.open("mum", "kid")
    try store.family("f", "mum", "kid")
    try store.buy("monthly", by: "mum")
    try store.buy("monthly", by: "kid")
    #expect(
      try store.history(of: "kid").currentEntitlements().map(\.inAppOwnershipType) == [.familyShared, .purchased])
    _ = try store.ask(LeaveFamily(account: "mum"), of: family("f"))
    #expect(try store.history(of: "kid").currentEntitlements().map(\.inAppOwnershipType) == [.purchased])
    try store.advance(days: 8)
    #expect(try store.entitled("kid") == ["monthly"])
  }

  @Test func refundedSubscriptionTakesTheFamilyWithItAndComesBackAnew() throws {
    let store = try StoreHarness()
    try store.open("mum", "kid")
    try store.family("f", "mum", "kid")
    try store.buy("monthly", by: "mum")
    try store.refund("monthly", of: "mum", reason: 1)
    let lost = try #require(try store.history(of: "kid").records.first)
    #expect(lost.revocation?.reason == 1 && lost.revocation?.type == "FAMILY_REVOKE")
    try store.buy("monthly", by: "mum")
    #expect(try store.entitled("kid") == ["monthly"])
    #expect(try store.history(of: "kid").records.last?.originalTransactionId != lost.originalTransactionId)
  }

  @Test func subscriptionThatChangesItsUserLeavesNothingWithTheOldOne() throws {
    let store = try StoreHarness()
    try store.open("alice")
    let ann = UUID()
    let ben = UUID()
    try store.buy("basic.monthly", by: "alice", token: ann)
    #expect(try store.entitlements(of: ann).map(\.productId) == ["com.example.app.basic.monthly"])
    try store.buy("monthly", by: "alice")
    #expect(try store.entitlements(of: ann).map(\.productId) == ["com.example.app.monthly"])
    try store.buy("yearly", by: "alice", token: ben)
    #expect(try store.entitlements(of: ann).isEmpty)
    #expect(try store.entitlements(of: ben).map(\.productId) == ["com.example.app.yearly"])
  }
}
