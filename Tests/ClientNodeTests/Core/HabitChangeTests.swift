import Foundation
import Shared
import Synchronization
import Testing
import Wire

@testable import ClientNode

@Suite struct HabitChangeTests {
  private func changed(_ habits: String, _ sequence: UInt64) throws -> HabitsChanged {
    HabitsChanged(
      habits: try HabitChange(parsing: habits).applied(to: Habits()), epoch: 1, sequence: sequence)
  }

  private func tell(_ change: HabitsChanged, _ bench: inout Bench, number: Int) -> RequestID {
    let id = RequestID(UUID(uuidString: String(format: "11111111-0000-4000-8000-%012d", number))!)
    let address = ActorAddress(world: FakeStore.world, kind: .node, key: "node")
    bench.feed(.received(.control, RequestFrames(change, to: address, id: id).frames))
    return id
  }

  @Test func changeIsAnsweredAndAnOlderOneThatComesLateUndoesNothing() throws {
    var bench = Bench([("phone", "alice"), ("pad", "bob")])
    bench.start()
    let id = tell(try changed("lateListing=7", 5), &bench, number: 1)
    guard case .ok? = bench.controlReplies[id]?.outcome else {
      Issue.record("the node did not answer")
      return
    }
    #expect(bench.core.devices.values.map(\.habits.lateListing) == [7, 7])
    _ = tell(try changed("lateListing=6", 4), &bench, number: 2)
    #expect(bench.core.habits.lateListing == 7)
    let topic = ActorAddress(world: FakeStore.world, kind: .world, key: FakeStore.world).topic
    let event = EventFrames(
      topic: topic, epoch: 1, sequence: 9, name: HabitsChanged.name,
      body: WireJSON.encode(try changed("lateListing=9", 9)))
    bench.feed(.event(event.frames))
    #expect(bench.core.habits.lateListing == 9)
  }

  @Test func descriptionFromBeforeAChangeDoesNotUndoIt() throws {
    var bench = Bench()
    bench.start()
    bench.holdsMessages = true
    bench.feed(.linkUp(.control))
    _ = tell(try changed("lateListing=7", 5), &bench, number: 1)
    bench.holdsMessages = false
    bench.pump()
    #expect(bench.store.count(of: DescribeWorld.name) == 2)
    #expect(bench.core.habits.lateListing == 7)
  }

  @Test func changeIsAskedForAfterTheControlLinkWasLost() {
    var bench = Bench()
    bench.start()
    bench.store.habits = Habits(.field)
    bench.feed(.linkUp(.control))
    #expect(bench.core.habits == Habits(.field))
  }

  @Test func badHabitsFromAPeerAreRefused() {
    var bench = Bench()
    bench.start()
    let address = ActorAddress(world: FakeStore.world, kind: .node, key: "node")
    let id = RequestID(UUID())
    let frames = RequestFrames(id: id, address: address, name: HabitsChanged.name, body: Data("[]".utf8))
    bench.feed(.received(.control, frames.frames))
    guard case .failed(let error)? = bench.controlReplies[id]?.outcome else {
      Issue.record("nothing was refused")
      return
    }
    #expect(error.code == .badBody)
  }

  @Test func callsOfCancelledTasksSaySo() async {
    let seen = Mutex<[Bool]>([])
    let answers = Mutex<DaemonBridge?>(nil)
    let bridge = DaemonBridge { input in
      guard case .call(let id, _, _, let isCancelled) = input else { return }
      seen.withLock { $0.append(isCancelled) }
      answers.withLock { $0 }?.answer(id, .success(.done))
    }
    answers.withLock { $0 = bridge }
    let app = AppID(device: "phone", incarnation: 1)
    _ = await bridge.call(.sync, from: app)
    await withTaskGroup(of: Void.self) { group in
      group.cancelAll()
      group.addTask { _ = await bridge.call(.sync, from: app) }
    }
    #expect(seen.withLock { $0 } == [false, true])
    answers.withLock { $0 = nil }
  }

  @Test func unreadElementsGoBackWithTheirIterator() {
    let unread = Mutex<[Int]>([])
    do {
      let stream = DaemonStream<Int> { left in unread.withLock { $0 = left } }
      for element in 1...3 { stream.yield(element) }
    }
    #expect(unread.withLock { $0 } == [1, 2, 3])
  }
}
