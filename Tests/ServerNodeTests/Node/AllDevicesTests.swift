import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Requests to a world that go to each of its devices, and switches that accounts and worlds have.
@Suite struct AllDevicesTests {
  private let phones = PeerID(Data("phones".utf8))
  private let others = PeerID(Data("others".utf8))
  private let hold = AllDevices(HoldGate(gate: .purchase, held: true))

  private func store() throws -> StoreHarness {
    let store = try StoreHarness()
    try store.open("alice")
    try store.hello("phones", as: phones, devices: ["phone": "alice", "pad": "alice"])
    try store.hello("others", as: others, devices: ["tv": "alice"])
    return store
  }

  private func report(_ device: String) -> DeviceReport {
    DeviceReport(
      device: device, account: "alice", incarnation: 1, online: true, epoch: 1, sequence: 0, unfinished: [],
      updates: [], screen: nil)
  }

  /// The parts of requests that went to a client node.
  private func forwarded(_ store: StoreHarness, to peer: PeerID) -> [RequestFrames] {
    store.sent.filter { $0.peer == peer }.compactMap { try? RequestFrames(frames: $0.frames) }
  }

  private func answer(_ store: StoreHarness, _ part: RequestFrames, _ outcome: ReplyFrames.Outcome? = nil) {
    let outcome = outcome ?? .ok(WireJSON.encode(report(part.address.key)))
    let peer = part.address.key == "tv" ? others : phones
    store.send(ReplyFrames(id: part.id, outcome: outcome).frames, from: peer)
  }

  private func told(_ store: StoreHarness, _ id: RequestID) throws -> ToldDevices? {
    guard case .ok(let body)? = store.reply(to: id)?.outcome else { return nil }
    return try WireJSON.decode(ToldDevices.self, from: body)
  }

  @Test func everyDeviceIsToldAndTheReplyComesWhenAllHaveAnswered() throws {
    let store = try store()
    let id = RequestID(UUID())
    store.send(hold, to: store.worldAddress, id: id)
    let parts = forwarded(store, to: phones) + forwarded(store, to: others)
    #expect(Set(parts.map(\.address.key)) == ["phone", "pad", "tv"])
    #expect(parts.allSatisfy { $0.name == HoldGate.name && $0.body == WireJSON.encode(hold) })
    for part in parts {
      #expect(try told(store, id) == nil)
      answer(store, part)
    }
    #expect(try told(store, id) == ToldDevices(devices: 3))
  }

  @Test func repeatedRequestHasTheSamePartsAndIsAnsweredOnce() throws {
    let store = try store()
    let id = RequestID(UUID())
    store.send(hold, to: store.worldAddress, id: id)
    let first = forwarded(store, to: phones) + forwarded(store, to: others)
    answer(store, first[0])
    store.send(hold, to: store.worldAddress, id: id)
    let all = forwarded(store, to: phones) + forwarded(store, to: others)
    #expect(all.count == 6)
    #expect(Set(all.map(\.id)) == Set(first.map(\.id)))
    for part in first { answer(store, part) }
    #expect(try told(store, id) == ToldDevices(devices: 3))
  }

  @Test func deviceThatRefusesIsNamed() throws {
    let store = try store()
    let id = RequestID(UUID())
    store.send(hold, to: store.worldAddress, id: id)
    for part in forwarded(store, to: phones) { answer(store, part) }
    for part in forwarded(store, to: others) { answer(store, part, .failed(WireError(.badBody, "no"))) }
    #expect(try told(store, id) == ToldDevices(devices: 2, failure: "tv: no"))
  }

  @Test func clientNodeThatGoesSilentDoesNotHoldUpTheRound() throws {
    let store = try store()
    let id = RequestID(UUID())
    store.send(hold, to: store.worldAddress, id: id)
    for part in forwarded(store, to: phones) { answer(store, part) }
    store.wait(milliseconds: 60_000)
    #expect(try told(store, id)?.devices == 2)
    #expect(try told(store, id)?.failure?.hasPrefix("tv: ") == true)
  }

  @Test func worldWithoutDevicesAndWorldThatIsNoneAnswerAtOnce() throws {
    let store = try StoreHarness()
    #expect(try store.ask(hold, of: store.worldAddress).devices == 0)
    let error = #expect(throws: WireError.self) {
      try store.ask(hold, of: ActorAddress(world: "none", kind: .world, key: "none"))
    }
    #expect(error?.code == .unknownAddress)
  }

  @Test func clientNodesMayNotTellOthersDevices() throws {
    let store = try store()
    for kind in [ActorAddress.Kind.world, .account] {
      let address = kind == .world ? store.worldAddress : store.account("alice")
      let error = #expect(throws: WireError.self) {
        try store.ask(SetInterruptedPurchases(on: true), of: address, from: phones)
      }
      #expect(error?.code == .unauthorized)
    }
    let error = #expect(throws: WireError.self) { try store.ask(hold, of: store.worldAddress, from: phones) }
    #expect(error?.code == .unauthorized)
  }

  @Test func worldInterruptsThePurchasesOfAllAccountsAndListsWhatWaits() throws {
    let store = try store()
    try store.ask(SetInterruptedPurchases(on: true), of: store.worldAddress)
    let reply = try store.ask(
      Purchase(productId: "com.example.app.lifetime", device: "phone"), of: store.account("alice"))
    guard case .pending(let id) = reply.outcome else {
      Issue.record("\(reply.outcome)")
      return
    }
    let waiting = try store.ask(ListPendingPurchases(), of: store.account("alice")).purchases
    #expect(waiting.map(\.id) == [id])
    #expect(waiting.map(\.reason) == [.issue])
    #expect(waiting.map(\.device) == ["phone"])
    #expect(waiting.map(\.expires) == [nil])
    try store.ask(SetInterruptedPurchases(on: false), of: store.worldAddress)
    try store.ask(ResolveIssue(purchase: id), of: store.account("alice"))
    #expect(try store.ask(ListPendingPurchases(), of: store.account("alice")).purchases.isEmpty)
    #expect(try store.history(of: "alice").records.map(\.productId) == ["com.example.app.lifetime"])
  }
}
