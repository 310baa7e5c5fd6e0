import Foundation
import Shared
import Wire

/// A user of the app behind the address `W/user/TOKEN`.
struct UserActor: StoreActor {
  private let address: ActorAddress
  private var state = UserState()

  init(address: ActorAddress) { self.address = address }

  mutating func restore(_ event: JournalEvent) throws {
    state.evolve(try JSONDecoder().decode(EntitlementChanged.self, from: event.body))
  }

  var timers: [String: StoreTime] { [:] }

  var snapshot: Data? { WireJSON.encode(state) }

  mutating func restore(snapshot: Data) throws { state = try JSONDecoder().decode(UserState.self, from: snapshot) }

  mutating func receive(_ message: ActorMessage, in context: ActorContext) throws(WireError) -> ActorOutcome {
    // A user lives in a world; a name in a world that is not there has nothing to say.
    guard context.world != nil else { throw .noWorld(address.world) }
    var outcome = ActorOutcome()
    switch message {
    case .request(GetEntitlements.name, _, _):
      outcome.reply = .body(WireJSON.encode(GetEntitlements.Reply(entitlements: state.sorted)))
    case .request(ReadJournal.name, let body, _):
      return .reading(try WireJSON.decode(ReadJournal.self, from: body))
    case .request(let name, _, _): throw .unknownRequest(name, address)
    case .effect(.entitlement(let change), _):
      guard let event = state.decide(change) else { return outcome }
      state.evolve(event)
      let body = event.json
      outcome.events.append(
        .init(
          stored: JournalEvent(name: EntitlementChanged.name, at: context.now.milliseconds, body: body),
          publication: .body(name: EntitlementChanged.name, body)))
    case .effect(let effect, _): throw .unknownRequest(effect.name, address)
    case .timer, .delivery: break
    }
    return outcome
  }
}
