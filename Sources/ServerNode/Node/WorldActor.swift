import Foundation
import Shared
import Wire

/// A world behind its address: settings, clock, accounts.
struct WorldActor: StoreActor {
  private let address: ActorAddress
  private(set) var state = WorldState()

  init(address: ActorAddress) { self.address = address }

  mutating func restore(_ event: JournalEvent) throws {
    try state.evolve(try JSONDecoder().decode(WorldEvent.self, from: event.body))
  }

  var timers: [String: StoreTime] { state.timers }

  mutating func receive(_ message: ActorMessage, in context: ActorContext) throws(WireError) -> ActorOutcome {
    if case .timer(WorldState.resetTimer) = message {
      return try commit(state.decideResetDone(), reply: .none, in: context)
    }
    if case .effect(.extendedAll(let answer), _) = message {
      return try commit(state.decide(answer), reply: .none, in: context)
    }
    guard case .request(let name, let body, _) = message else { return ActorOutcome() }
    if name == CreateWorld.name {
      let events = try state.decide(create: try WireJSON.decode(CreateWorld.self, from: body), name: address.key)
      return try commit(events, reply: .node(.describeWorld), in: context)
    }
    let settings = try context.store().world
    switch name {
    case DescribeWorld.name: return ActorOutcome(reply: .node(.describeWorld))
    case ListAccounts.name:
      _ = try WireJSON.decode(ListAccounts.self, from: body)
      return ActorOutcome(reply: .body(WireJSON.encode(ListAccounts.Reply(accounts: state.accountEntries))))
    case ListDevices.name: return ActorOutcome(reply: .node(.listDevices))
    case Settle.name: return ActorOutcome(reply: .node(.settle))
    case GetProducts.name:
      return ActorOutcome(
        reply: .body(WireJSON.encode(products(try WireJSON.decode(GetProducts.self, from: body), settings))))
    case OpenAccount.name:
      let events = try state.decide(open: try WireJSON.decode(OpenAccount.self, from: body), world: address.key)
      return try commit(events, reply: .body(WireJSON.encode(Done())), in: context)
    case AdvanceClock.name:
      let request = try WireJSON.decode(AdvanceClock.self, from: body)
      let events = try state.decide(advance: request, nextDue: context.nextDue)
      var outcome = try commit(events, reply: .none, in: context)
      // Known now, so that it commits with the jump and a retry does not move the clock twice.
      outcome.reply = .afterJump(WireJSON.encode(AdvanceClock.Reply(now: state.now(machine: context.now))))
      return outcome
    case SetTimeRate.name:
      let events = state.decide(setTimeRate: try WireJSON.decode(SetTimeRate.self, from: body))
      return try commit(events, reply: .body(WireJSON.encode(Done())), in: context)
    case SetInterruptedPurchases.name:
      let request = try WireJSON.decode(SetInterruptedPurchases.self, from: body)
      let events = state.decide(setInterruptedPurchases: request)
      return try commit(events, reply: .body(WireJSON.encode(Done())), in: context)
    case ChangeWorld.name:
      let request = try WireJSON.decode(ChangeWorld.self, from: body)
      let events = try state.decide(change: request, name: address.key, now: state.now(machine: context.now))
      return try commit(events, reply: .body(WireJSON.encode(Done())), in: context)
    case SetHabits.name:
      let events = state.decide(setHabits: try WireJSON.decode(SetHabits.self, from: body))
      return try commit(events, reply: .body(WireJSON.encode(Done())), in: context)
    case SetNotificationURL.name:
      let events = try state.decide(setNotificationURL: try WireJSON.decode(SetNotificationURL.self, from: body))
      return try commit(events, reply: .body(WireJSON.encode(Done())), in: context)
    case SetFamilyShareable.name:
      let request = try WireJSON.decode(SetFamilyShareable.self, from: body)
      return try commit(
        try state.decide(share: request, world: address.key), reply: .body(WireJSON.encode(Done())), in: context)
    case ResetWorld.name:
      // It is done as a clock jump is: whoever wants to change something waits until it is over.
      return try commit(state.decideReset(now: context.now), reply: .afterJump(WireJSON.encode(Done())), in: context)
    case DescribeOfferKeys.name: return ActorOutcome(reply: .body(WireJSON.encode(try offerKeys(settings))))
    case DescribeAPIKeys.name: return ActorOutcome(reply: .node(.describeAPIKeys))
    case LocateAccount.name:
      let request = try WireJSON.decode(LocateAccount.self, from: body)
      let account = LocateAccount.Reply(account: state.account(ordinal: request.ordinal))
      return ActorOutcome(reply: .body(WireJSON.encode(account)))
    case ExtendAllSubscriptions.name:
      let events = try state.decide(
        extendAll: try WireJSON.decode(ExtendAllSubscriptions.self, from: body), world: address.world, now: context.now)
      return try commit(events, reply: .body(WireJSON.encode(Done())), in: context)
    case DescribeExtension.name:
      let run = state.extensionRuns[try WireJSON.decode(DescribeExtension.self, from: body).requestIdentifier]
      return ActorOutcome(reply: .body(WireJSON.encode(DescribeExtension.Reply(status: run?.status))))
    case ReadJournal.name: return .reading(try WireJSON.decode(ReadJournal.self, from: body))
    default: throw .unknownRequest(name, address)
    }
  }

  private func offerKeys(_ settings: WorldSettings) throws(WireError) -> DescribeOfferKeys.Reply {
    guard let key = settings.offersKey else {
      throw WireError(.unavailable, "the offers key of world '\(settings.world)' is not open yet: ask again")
    }
    do { return DescribeOfferKeys.Reply(keyId: key.id, privateKey: try key.privateKeyPEM()) } catch {
      throw WireError(.internalError, "\(error)")
    }
  }

  private func products(_ request: GetProducts, _ settings: WorldSettings) -> GetProducts.Reply {
    let products = Set(request.ids).sorted().compactMap { settings.catalog.product($0) }
    let groups = Set(products.compactMap { $0.subscription?.groupID })
    let names = groups.map { ($0, settings.catalog.group($0)?.name ?? "") }
    return GetProducts.Reply(
      products: products, groups: Dictionary(names, uniquingKeysWith: { first, _ in first }),
      currency: settings.currency, locale: settings.catalog.settings.locale)
  }

  private func publication(
    of event: WorldEvent, number: Int, in context: ActorContext
  ) -> ActorOutcome.Publication? {
    guard case .habitsChanged(let habits) = event else { return nil }
    let change = HabitsChanged(habits: habits, epoch: context.epoch, sequence: context.sequence + UInt64(number))
    return .body(name: HabitsChanged.name, WireJSON.encode(change))
  }

  /// The extension of all subscribers that an event, which was applied, has brought to its end.
  private func completedRun(by event: WorldEvent) -> ExtensionRun? {
    let identifier: String
    switch event {
    case .extensionStarted(let order, _): identifier = order.requestIdentifier
    case .extensionAnswered(let answer): identifier = answer.requestIdentifier
    default: return nil
    }
    return state.extensionRuns[identifier].flatMap { $0.completed == nil ? nil : $0 }
  }

  private mutating func commit(
    _ events: [WorldEvent], reply: ActorOutcome.Reply, in context: ActorContext
  ) throws(WireError) -> ActorOutcome {
    var outcome = ActorOutcome(reply: reply)
    for event in events {
      do { try state.evolve(event) } catch { throw WireError(.internalError, "\(error)") }
      outcome.events.append(
        .init(
          stored: JournalEvent(name: event.name, at: context.now.milliseconds, body: WireJSON.encode(event)),
          publication: publication(of: event, number: outcome.events.count + 1, in: context)))
      if let run = completedRun(by: event), context.world?.notificationEndpoint != nil {
        outcome.effects.append((.notifications(of: address.world), .notify(.extended(run.summary))))
      }
      if case .accountOpened(let profile) = event {
        let account = ActorAddress(world: address.world, kind: .account, key: profile.name)
        outcome.effects.append((account, .open(profile)))
      }
      if case .extensionStarted(let order, _) = event {
        for entry in state.accountEntries {
          let account = ActorAddress(world: address.world, kind: .account, key: entry.account)
          outcome.effects.append((account, .extendAll(order)))
        }
      }
      if case .madeShareable(let product) = event {
        for entry in state.accountEntries {
          let account = ActorAddress(world: address.world, kind: .account, key: entry.account)
          outcome.effects.append((account, .madeShareable(productId: product)))
        }
      }
    }
    return outcome
  }
}
