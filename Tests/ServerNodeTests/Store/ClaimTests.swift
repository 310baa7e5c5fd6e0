import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Whom a purchase belongs to: tokens that are missing, late or changed, and users who claim.
@Suite struct ClaimTests {
  private let ann = UUID()
  private let ben = UUID()

  private func refusal(_ ask: () throws -> Void) -> Refusal? {
    do { try ask() } catch { return (error as? WireError)?.refusal }
    return nil
  }

  private func claim(_ product: String, of name: String, for user: UUID, in store: StoreHarness) throws {
    let jws = try #require(try store.copy(of: product, from: name))
    try store.ask(Claim(appAccountToken: user, device: "phone"), of: store.account(name), attachments: [jws])
  }

  @Test(arguments: [nil, ClaimPolicy.keep]) func keptClaimStaysWithTheFirst(policy: ClaimPolicy?) throws {
    let store = try StoreHarness(claimPolicy: policy)
    try store.open("alice")
    try store.buy("lifetime", by: "alice")
    try claim("lifetime", of: "alice", for: ann, in: store)
    #expect(refusal { try claim("lifetime", of: "alice", for: ben, in: store) } == .alreadyClaimed)
    #expect(try store.entitlements(of: ann).count == 1)
    #expect(try store.entitlements(of: ben).isEmpty)
  }

  @Test func transferredClaimLeavesTheOldUserWithARemovedLine() throws {
    let store = try StoreHarness(claimPolicy: .transfer)
    try store.open("alice")
    try store.buy("monthly", by: "alice", token: ann)
    try claim("monthly", of: "alice", for: ben, in: store)
    #expect(try store.entitlements(of: ann).isEmpty)
    #expect(try store.entitlements(of: ben).map(\.productId) == ["com.example.app.monthly"])
    let lines = try store.published.filter { $0.name == EntitlementChanged.name }
      .map { ($0.topic, try WireJSON.decode(EntitlementChanged.self, from: $0.body).removed) }
    let topics = [ann, ben].map { store.address(.user, $0.uuidString.lowercased()).topic }
    #expect(lines.first { $0.0 == topics[0] && $0.1 } != nil)
    #expect(lines.last { $0.0 == topics[1] }?.1 == false)
    // Renewals reach the user who has it now, and nobody else.
    try store.advance(days: 40)
    #expect(try store.entitlements(of: ben).first?.status == .active)
    #expect(try store.entitlements(of: ann).isEmpty)
    // A purchase without a token leaves it there.
    try store.buy("yearly", by: "alice")
    #expect(try store.entitlements(of: ben).map(\.productId) == ["com.example.app.yearly"])
  }

  @Test func sharedClaimGivesItToBoth() throws {
    let store = try StoreHarness(claimPolicy: .share)
    try store.open("alice")
    try store.buy("lifetime", by: "alice", token: ann)
    try claim("lifetime", of: "alice", for: ben, in: store)
    try claim("lifetime", of: "alice", for: ben, in: store)
    #expect(try store.events(of: "alice").filter { $0 == "claimed" }.count == 1)
    try store.refund("lifetime", of: "alice")
    #expect(try store.entitlements(of: ann).map(\.status) == [.revoked])
    #expect(try store.entitlements(of: ben).map(\.status) == [.revoked])
  }

  @Test func br30TokenIsRefusedForWhatIsNoOriginalTransactionOfTheAccount() throws {
    let store = try StoreHarness()
    try store.open("mum", "kid")
    try store.family("f", "mum", "kid")
    try store.buy("monthly", by: "mum")
    try store.advance(days: 40)
    let records = try store.history(of: "mum").records
    let shared = try #require(try store.history(of: "kid").records.first?.transactionId)
    func set(_ id: TransactionID, on name: String) throws {
      try store.ask(SetAppAccountToken(originalTransactionId: id, appAccountToken: ann), of: store.account(name))
    }
    let before = try store.journal.load(store.account("mum")).sequence
    #expect(refusal { try set(shared, on: "kid") } == .notYours)
    #expect(refusal { try set(records[1].transactionId, on: "mum") } == .notOriginalTransaction)
    #expect(refusal { try set(shared, on: "mum") } == .unknownTransaction)
    let frames = RequestFrames(
      id: RequestID(UUID()), address: store.account("mum"), name: SetAppAccountToken.name,
      body: Data(#"{"originalTransactionId":"\#(records[0].transactionId)","appAccountToken":"user-123"}"#.utf8))
    store.send(frames.frames)
    guard case .failed(let error) = store.reply(to: frames.id)?.outcome else {
      Issue.record("a token that is no UUID is taken")
      return
    }
    #expect(error.code == .badBody)
    #expect(try store.journal.load(store.account("mum")).sequence == before)
  }

  @Test func br30TokenIsOnTheCurrentPeriodAndTheLaterOnesAndOnNoPastOne() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.buy("monthly", by: "alice", token: ann)
    try store.advance(days: 40)
    let before = try store.history(of: "alice")
    let lineage = before.records[0].transactionId
    let request = SetAppAccountToken(originalTransactionId: lineage, appAccountToken: ben)
    try store.ask(request, of: store.account("alice"))
    try store.ask(request, of: store.account("alice"))
    try store.advance(days: 31)
    let after = try store.history(of: "alice")
    let tokens = after.records.map(\.appAccountToken)
    #expect(tokens.prefix(before.records.count - 1).allSatisfy { $0 == ann })
    #expect(tokens.dropFirst(before.records.count - 1).allSatisfy { $0 == ben } && tokens.count > before.records.count)
    #expect(after.records[before.records.count - 1].recordRevision == 2)
    #expect(after.renewalInfos[lineage]?.appAccountToken == ben)
    #expect(try store.events(of: "alice").filter { $0 == "appAccountTokenSet" }.count == 1)
    #expect(try store.entitlements(of: ann).isEmpty)
    #expect(try store.entitlements(of: ben).count == 1)
    // It stays through changes of the plan, for which the app sends none.
    try store.buy("yearly", by: "alice")
    #expect(try store.history(of: "alice").records.last?.appAccountToken == ben)
  }

  @Test func tokenThatComesLateBindsAPurchaseWithoutOne() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.buy("coins", by: "alice")
    let id = try #require(try store.history(of: "alice").records.first?.transactionId)
    try store.ask(
      SetAppAccountToken(originalTransactionId: id, appAccountToken: ann), of: store.account("alice"))
    #expect(try store.entitlements(of: ann).map(\.transactionId) == [id])
    #expect(try store.history(of: "alice").records.first?.appAccountToken == ann)
  }
}
