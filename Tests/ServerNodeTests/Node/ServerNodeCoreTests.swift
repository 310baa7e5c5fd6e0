import Foundation
import ServerNode
import Shared
import Testing
import Wire

@Suite struct ServerNodeCoreTests {
  @Test func purchaseIsCommittedThenPublishedThenAnswered() throws {
    let store = try StoreHarness()
    try store.open("alice")
    store.holdsCommits = true
    let id = RequestID(UUID())
    store.send(Purchase(productId: "com.example.app.lifetime"), to: store.account("alice"), id: id)
    #expect(store.reply(to: id) == nil)
    #expect(!store.published.contains { $0.name == "purchased" })
    store.release()
    #expect(store.reply(to: id) != nil)
    #expect(store.published.contains { $0.name == "purchased" && $0.topic == "w/account/alice;" })
    #expect(try store.entitled("alice") == ["lifetime"])
  }

  @Test func sameRequestAgainGetsTheSameReplyAndNoSecondPurchaseEvenAfterARestart() throws {
    let store = try StoreHarness()
    try store.open("alice")
    let id = RequestID(UUID())
    let coins = Purchase(productId: "com.example.app.coins")
    let first = try store.ask(coins, of: store.account("alice"), id: id)
    #expect(try store.ask(coins, of: store.account("alice"), id: id) == first)
    try store.restart()
    #expect(try store.ask(coins, of: store.account("alice"), id: id) == first)
    #expect(try store.history(of: "alice").records.count == 1)
    #expect(try store.ask(coins, of: store.account("alice")) != first)
  }

  @Test func subscriptionStartsWithItsTrialRenewsAndLapses() throws {
    let store = try StoreHarness()
    try store.open("alice")
    let user = UUID()
    try store.buy("monthly", by: "alice", token: user)
    let trial = try #require(try store.history(of: "alice").records.first)
    #expect(trial.offer?.discountType == "FREE_TRIAL")
    #expect(trial.price == 0)
    #expect(trial.expiresDate == StoreHarness.start.advanced(by: 7 * 86_400_000))
    #expect(try store.entitlements(of: user).map(\.status) == [.trial])

    try store.advance(days: 7)
    #expect(try store.events(of: "alice") == ["opened", "purchased", "renewed"])
    #expect(try store.entitlements(of: user).map(\.status) == [.active])

    _ = try store.ask(
      SetAutoRenew(productId: "com.example.app.monthly", on: false), of: store.account("alice"))
    #expect(try store.entitled("alice") == ["monthly"])
    try store.advance(days: 40)
    #expect(try store.entitled("alice") == [])
    #expect(try store.entitlements(of: user).map(\.status) == [.expired])
  }

  @Test func familySharesRevokesAndFollows() throws {
    let store = try StoreHarness()
    try store.open("mum", "dad", "kid")
    try store.buy("lifetime", by: "mum")
    try store.family("smith", "mum", "dad", "kid")
    try store.buy("yearly", by: "dad")
    #expect(try store.entitled("kid") == ["lifetime", "yearly"])
    #expect(try store.entitled("mum") == ["lifetime", "yearly"])
    let shared = try store.history(of: "kid").records
    #expect(shared.allSatisfy { $0.inAppOwnershipType == .familyShared && $0.appAccountToken == nil })
    #expect(
      Set(shared.map(\.transactionId)).isDisjoint(with: try store.history(of: "dad").records.map(\.transactionId)))

    try store.advance(days: 8)
    #expect(try store.events(of: "kid").suffix(1) == ["renewed"])
    try store.refund("lifetime", of: "mum", reason: 1)
    #expect(try store.entitled("kid") == ["yearly"])
    #expect(try store.history(of: "kid").records.first?.revocation?.reason == 1)

    _ = try store.ask(LeaveFamily(account: "kid"), of: store.address(.family, "smith"))
    #expect(try store.entitled("kid") == [])
    #expect(try store.entitled("mum") == ["yearly"])
  }

  @Test func askToBuyWaitsAndKeepsItsOptions() throws {
    let store = try StoreHarness()
    try store.open("kid", asksToBuy: true)
    let user = UUID()
    let reply = try store.buy("lifetime", by: "kid", token: user)
    guard case .pending = reply.outcome else { Issue.record("expected pending, got \(reply)"); return }
    #expect(try store.entitled("kid") == [])
    _ = try store.ask(AnswerAskToBuy(approve: true), of: store.account("kid"))
    #expect(try store.entitled("kid") == ["lifetime"])
    #expect(try store.entitlements(of: user).map(\.productId) == ["com.example.app.lifetime"])
    #expect(throws: WireError.self) { try store.ask(AnswerAskToBuy(approve: true), of: store.account("kid")) }
  }

  @Test func signedCopyVerifiesUnderTheWorldsRootForItsDevice() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.buy("lifetime", by: "alice")
    let record = try #require(try store.history(of: "alice").records.first)
    let description = try store.ask(DescribeWorld(), of: store.worldAddress)
    let copy = WantedCopy(subject: .transaction(record.transactionId), device: "phone", deviceVerificationId: UUID())
    let answer = try store.exchange(GetSignedCopies(copies: [copy]), of: store.account("alice"))
    #expect(answer.body.revisions == [1])
    let verifier = JWSVerifier(trust: TrustStore(roots: [description.rootCertificate]))
    let jws = try CompactJWS(answer.attachments[0])
    try verifier.verify(jws, at: StoreHarness.start.milliseconds)

    let user = UUID()
    try store.ask(
      Claim(appAccountToken: user, device: "phone"), of: store.account("alice"), attachments: [answer.attachments[0]])
    #expect(try store.entitlements(of: user).map(\.productId) == ["com.example.app.lifetime"])
  }

  @Test func actorsThatLeaveMemoryAfterEveryTurnBehaveTheSame() throws {
    func play(_ store: StoreHarness) throws -> [TransactionHistory] {
      try store.open("mum", "kid")
      try store.family("f", "mum", "kid")
      try store.buy("monthly", by: "mum")
      try store.advance(days: 100)
      try store.buy("coins", by: "kid", quantity: 3)
      try store.refund("monthly", of: "mum")
      return [try store.history(of: "mum"), try store.history(of: "kid")]
    }
    #expect(try play(StoreHarness(evicting: true)) == play(StoreHarness()))
  }
}
