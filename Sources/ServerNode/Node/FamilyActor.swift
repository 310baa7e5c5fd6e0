import Foundation
import Shared
import Wire

/// A family behind its address.
struct FamilyActor: StoreActor {
  private let address: ActorAddress
  private var state = FamilyState()

  init(address: ActorAddress) { self.address = address }

  mutating func restore(_ event: JournalEvent) throws {
    state.evolve(try JSONDecoder().decode(FamilyEvent.self, from: event.body))
  }

  var timers: [String: StoreTime] { state.timers }

  var snapshot: Data? { WireJSON.encode(state) }

  mutating func restore(snapshot: Data) throws { state = try JSONDecoder().decode(FamilyState.self, from: snapshot) }

  mutating func receive(_ message: ActorMessage, in context: ActorContext) throws(WireError) -> ActorOutcome {
    switch message {
    case .request(let name, let body, _): return try answer(name, body, in: context)
    case .effect(let effect, _): return try apply(effect, in: context)
    case .timer(let name):
      guard let timer = FamilyTimer(name: name) else { return ActorOutcome() }
      return commit(try decide(.timer(timer), in: context), in: context)
    case .delivery: return ActorOutcome()
    }
  }

  private mutating func answer(_ name: String, _ body: Data, in context: ActorContext) throws(WireError) -> ActorOutcome
  {
    switch name {
    case CreateFamily.name:
      let request = try WireJSON.decode(CreateFamily.self, from: body)
      try checkName(request.organizer)
      return try act(.create(organizer: request.organizer), waitsFor: request.organizer, in: context)
    case JoinFamily.name:
      let request = try WireJSON.decode(JoinFamily.self, from: body)
      try checkName(request.account)
      // Whether a family is full does not matter to who is nobody; who is there is asked whether it is free.
      if state.organizer != nil, let accounts = context.accounts, accounts[request.account] == nil {
        throw .noAccount(request.account, address.world)
      }
      return try act(.join(account: request.account), waitsFor: request.account, in: context)
    case LeaveFamily.name:
      return try act(.leave(account: try WireJSON.decode(LeaveFamily.self, from: body).account), in: context)
    case SetSharing.name:
      let request = try WireJSON.decode(SetSharing.self, from: body)
      guard try context.store().world.catalog.product(request.productId) != nil else {
        throw .refused(
          .productUnavailable, "the catalogue of world '\(address.world)' has no product '\(request.productId)'")
      }
      return try act(
        .setSharing(account: request.account, productId: request.productId, on: request.on), in: context)
    case SetAppHidden.name:
      let request = try WireJSON.decode(SetAppHidden.self, from: body)
      return try act(.setAppHidden(account: request.account, hidden: request.hidden), in: context)
    case SetPurchaseSharing.name:
      return try act(.setPurchaseSharing(on: try WireJSON.decode(SetPurchaseSharing.self, from: body).on), in: context)
    case DescribeFamily.name:
      guard let organizer = state.organizer else {
        throw WireError(.unknownAddress, "there is no family '\(address.key)': create it first")
      }
      var outcome = ActorOutcome()
      outcome.reply = .body(
        WireJSON.encode(DescribeFamily.Reply(organizer: organizer, members: state.members)))
      return outcome
    case ReadJournal.name:
      _ = try context.store()
      return .reading(try WireJSON.decode(ReadJournal.self, from: body))
    default: throw .unknownRequest(name, address)
    }
  }

  /// An effect goes to the account, so what is no name must not get that far.
  private func checkName(_ account: String) throws(WireError) {
    guard ActorAddress.isName(account) else {
      throw WireError(.badBody, "'\(account.prefix(200))' is no account: expected 1 to 128 of A-Z a-z 0-9 . _ - + @")
    }
  }

  private mutating func act(
    _ command: FamilyCommand, waitsFor account: String? = nil, in context: ActorContext
  ) throws(WireError) -> ActorOutcome {
    let decision = try decide(command, in: context)
    var outcome = commit(decision, in: context)
    outcome.reply = decision.awaitsAnswer ? .later : .body(WireJSON.encode(Done()))
    outcome.waitsFor = decision.awaitsAnswer ? account : nil
    return outcome
  }

  /// A family lives in a world; a missing one is refused before anything is stored.
  private func decide(_ command: FamilyCommand, in context: ActorContext) throws(WireError) -> FamilyDecision {
    try state.decide(command, name: address.key, in: try context.store())
  }

  private mutating func apply(_ effect: StoreEffect, in context: ActorContext) throws(WireError) -> ActorOutcome {
    switch effect {
    case .joinAnswered(let account, let refusal, let items, let storefront):
      let joins = refusal == nil
      let command = FamilyCommand.joinAnswered(account: account, joins: joins, items: items, storefront: storefront)
      var outcome = commit(try decide(command, in: context), in: context)
      let failure = refusal ?? (state.members.contains(account) ? nil : ended(before: account))
      outcome.completed = [(account, failure.map { .failure($0) } ?? .success(WireJSON.encode(Done())))]
      return outcome
    case .itemChanged(let item): return commit(try decide(.itemChanged(item), in: context), in: context)
    case .itemWithdrawn(let id): return commit(try decide(.itemWithdrawn(id), in: context), in: context)
    case .storefrontChanged(let account, let storefront):
      let command = FamilyCommand.storefrontChanged(account: account, storefront: storefront)
      return commit(try decide(command, in: context), in: context)
    case .memberReset(let account): return commit(try decide(.memberReset(account), in: context), in: context)
    default: throw .unknownRequest(effect.name, address)
    }
  }

  private func ended(before account: String) -> WireError {
    WireError(.unknownAddress, "family '\(address.key)' ended before '\(account)' had joined it")
  }

  private mutating func commit(_ decision: FamilyDecision, in context: ActorContext) -> ActorOutcome {
    var outcome = ActorOutcome()
    for event in decision.events {
      state.evolve(event)
      let body = WireJSON.encode(event)
      outcome.events.append(
        .init(
          stored: JournalEvent(name: event.name, at: context.now.milliseconds, body: body),
          publication: .body(name: event.name, body)))
    }
    outcome.effects = decision.effects.map(routed)
    return outcome
  }

  private func routed(_ effect: FamilyEffect) -> (target: ActorAddress, effect: StoreEffect) {
    func account(_ name: String) -> ActorAddress { ActorAddress(world: address.world, kind: .account, key: name) }
    switch effect {
    case .askToJoin(let name): return (account(name), .askToJoin(family: address.key))
    case .tellLeft(let name): return (account(name), .tellLeft(family: address.key))
    case .share(let item, let name): return (account(name), .share(item))
    case .unshare(let id, let name): return (account(name), .unshare(id, reason: Revocation.other))
    }
  }
}
