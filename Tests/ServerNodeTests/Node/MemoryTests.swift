import Foundation
@testable import ServerNode
import Shared
import Testing
import Wire

/// What a node keeps in memory is bounded by what exists, whatever peers ask.
@Suite struct MemoryTests {
  @Test func namesThatNobodyHasLeaveNothingBehind() throws {
    let store = try StoreHarness()
    try store.open("alice")
    let cells = store.core.cells.count
    let positions = store.core.positions.count
    for number in 0..<2_000 {
      let id = RequestID(UUID())
      let address = ActorAddress(world: "w\(number)", kind: number % 2 == 0 ? .account : .world, key: "w\(number)")
      store.send(DescribeWorld(), to: address, id: id)
      #expect(store.reply(to: id) != nil)
      store.subscribe("x\(number)/account/y;")
      store.send(DescribeFamily(), to: store.address(.family, "f\(number)"), id: RequestID(UUID()))
      store.send(CatchUp(epoch: 1, after: 0), to: store.account("nobody\(number)"), id: RequestID(UUID()))
      store.send(
        GetEntitlements(), to: store.address(.user, UUID().uuidString.lowercased()), id: RequestID(UUID()))
    }
    #expect(store.core.cells.count == cells)
    #expect(store.core.worlds.count == 1)
    #expect(store.core.positions.count == positions)
  }

  @Test func peersThatComeAndGoAreForgotten() throws {
    let store = try StoreHarness()
    for number in 0..<500 {
      let role = number % 2 == 0 ? Hello.Role.client : .control
      try store.hello("n\(number)", as: PeerID(Data("p\(number)".utf8)), role: role, devices: ["d\(number)": "a"])
    }
    #expect(store.core.peers.count == 502)
    store.wait(milliseconds: 40_000)
    #expect(store.core.peers.count == 252)
    store.wait(milliseconds: 600_000)
    #expect(store.core.peers.keys.elementsEqual([.local]))
    #expect(store.core.directory.isEmpty)
  }

  @Test func requestsThatADeviceNeverAnswersAreForgotten() throws {
    let store = try StoreHarness()
    let phones = PeerID(Data("phones".utf8))
    try store.hello("phones", as: phones, devices: ["phone": "alice"])
    for _ in 0..<100 { store.send(LaunchDevice(), to: store.address(.device, "phone"), id: RequestID(UUID())) }
    #expect(store.core.forwards.count == 100)
    store.wait(milliseconds: 12_000)
    #expect(store.core.forwards.isEmpty)
  }

  @Test func idleActorsLeaveMemoryAboveTheLimitAndComeBack() throws {
    let store = try StoreHarness(mostActors: 50)
    for number in 0..<200 { try store.open("a\(number)") }
    #expect(store.core.cells.count <= 51)
    for number in 0..<200 { try store.buy("lifetime", by: "a\(number)") }
    for number in 0..<200 { #expect(try store.entitled("a\(number)") == ["lifetime"]) }
    #expect(store.core.cells.count <= 51)
  }

  @Test func fullMailboxRefusesRequestsAndLosesNoneThatItTook() throws {
    let store = try StoreHarness()
    try store.open("alice")
    store.holdsCommits = true
    var refused = 0
    for _ in 0..<(ActorCell.mostMessages + 11) {
      let id = RequestID(UUID())
      store.send(Purchase(productId: "com.example.app.lifetime"), to: store.account("alice"), id: id)
      if case .failed(let error) = store.reply(to: id)?.outcome {
        #expect(error.code == .overloaded)
        refused += 1
      }
    }
    // One is being committed, and the mailbox is full behind it.
    #expect(refused == 10)
    store.release()
    #expect(try store.history(of: "alice").records.count == 1)
  }

  @Test func timersKeepTheirOrderThroughMovesAndClears() {
    var random = SplitMix64(seed: 3)
    var heap = TimerHeap()
    var model: [String: Int64] = [:]
    func actor(_ key: String) -> ActorAddress { ActorAddress(world: "w", kind: .account, key: key) }
    for _ in 0..<20_000 {
      let key = "a\(UInt64.random(in: 0..<40, using: &random))"
      if Bool.random(using: &random) {
        let due = Int64.random(in: 0..<60, using: &random)
        model[key] = due
        heap.set(actor(key), "t", due: StoreTime(milliseconds: due))
      } else {
        model[key] = nil
        heap.clear(actor(key), "t")
      }
      let first = model.min { ($0.value, $0.key) < ($1.value, $1.key) }
      #expect(heap.next?.actor.key == first?.key)
      #expect(heap.next?.due.milliseconds == first?.value)
    }
  }
}
