import Foundation
import ServerNode
import Wire

/// The actors of these tests.
enum Demo {
  static let alice = ActorAddress(world: "demo", kind: .account, key: "alice")
  static let bob = ActorAddress(world: "demo", kind: .account, key: "bob")
  static let user = ActorAddress(world: "demo", kind: .user, key: "user-1")
  static let demo = ActorAddress(world: "demo", kind: .world, key: "demo")
  static let stranger = ActorAddress(world: "other", kind: .account, key: "alice")
}

extension JournalEvent {
  static func purchased(_ number: Int) -> JournalEvent {
    JournalEvent(name: "purchased", at: 1_700_000_000_000 + Int64(number), body: Data(#"{"number":\#(number)}"#.utf8))
  }

  func numbered(_ sequence: UInt64) -> JournalEvent {
    var event = self
    event.sequence = sequence
    return event
  }
}

extension AnsweredRequest {
  static func new(_ reply: String = "{}") -> AnsweredRequest {
    AnsweredRequest(id: RequestID(UUID()), reply: Data(reply.utf8))
  }
}

extension OutboundEffect {
  static func granted(from source: ActorAddress, to target: ActorAddress, _ number: UInt64) -> OutboundEffect {
    OutboundEffect(
      id: EffectID(source: source, target: target, number: number), name: "granted", body: Data("{\(number)}".utf8))
  }
}

extension JournalAppend {
  /// One event of `actor` after `count` others.
  static func purchase(by actor: ActorAddress = Demo.alice, after count: UInt64 = 0) -> JournalAppend {
    JournalAppend(actor: actor, expectedSequence: count, events: [.purchased(Int(count) + 1)])
  }
}

extension Journal {
  /// Commits one append alone.
  func commit(_ append: JournalAppend) throws -> JournalAppendResult? { try commit([append]).first }
}

/// The code of the journal error that `body` throws; nil when it throws none.
func journalErrorCode(_ body: () throws -> Void) -> JournalError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? JournalError)?.code
  }
}

/// The code of the journal error that `body` throws; nil when it throws none.
func journalErrorCode(_ body: () async throws -> Void) async -> JournalError.Code? {
  do {
    try await body()
    return nil
  } catch {
    return (error as? JournalError)?.code
  }
}
