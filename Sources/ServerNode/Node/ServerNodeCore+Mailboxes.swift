import Foundation
import Shared
import Wire

/// Messages on their way into mailboxes, and what keeps them out: worlds that are not open, clock jumps, full queues.
extension ServerNodeCore {
  /// Puts a message into an actor's mailbox; wakes the actor when it sleeps.
  mutating func deliver(_ envelope: Envelope, to address: ActorAddress) {
    guard let blank = blankActor(at: address) else { return deadLetter(envelope, address) }
    guard isOpen(address.world) || address.kind == .world else {
      guard hasRoom(worlds[address.world]?.early.count ?? 0, for: envelope, to: address) else { return }
      worlds[address.world, default: WorldRuntime(address.world)].early.append((address, envelope))
      return activateWorld(address.world)
    }
    if mustWaitForJump(envelope, address) { return hold(envelope, address) }
    guard hasRoom(cells[address]?.mailbox.count ?? 0, for: envelope, to: address) else { return }
    if cells[address] == nil { cells[address] = ActorCell(blank) }
    cells[address]?.mailbox.append(envelope)
    if case .loading = cells[address]?.phase { return wake(address) }
    run(address)
  }

  func mustWaitForJump(_ envelope: Envelope, _ address: ActorAddress) -> Bool {
    worlds[address.world]?.isJumping == true && envelope.waitsForJump
  }

  mutating func hold(_ envelope: Envelope, _ address: ActorAddress) {
    guard hasRoom(worlds[address.world]?.held.count ?? 0, for: envelope, to: address) else { return }
    worlds[address.world]?.held.append((address, envelope))
    // A jump cannot end in a world that is not open.
    if !isOpen(address.world) { activateWorld(address.world) }
  }

  /// Whether a queue of `count` messages takes one more. Effects and timers are never turned away: there are only as
  /// many as the store has committed.
  mutating func hasRoom(_ count: Int, for envelope: Envelope, to address: ActorAddress) -> Bool {
    switch envelope {
    case .effect, .timer, .delivery: return true
    case .subscriber: return count < ActorCell.mostMessages
    case .request(let asker, _, _, _):
      if count < ActorCell.mostMessages { return true }
      reply(
        asker,
        .failure(WireError(.overloaded, "\(address) has \(ActorCell.mostMessages) messages waiting: ask again later")))
      return false
    }
  }

  /// Brings an actor into memory.
  mutating func wake(_ address: ActorAddress) {
    if cells[address] == nil {
      guard let blank = blankActor(at: address) else { return }
      cells[address] = ActorCell(blank)
    }
    // Asked for once; the cell stays in `loading` until the answer.
    guard cells[address]?.lastTurn == 0 else { return }
    turn += 1
    cells[address]?.lastTurn = turn
    emit(.load(address))
  }

  func blankActor(at address: ActorAddress) -> (any StoreActor)? {
    switch address.kind {
    case .account: AccountActor(address: address)
    case .family: FamilyActor(address: address)
    case .user where UUID(uuidString: address.key)?.lowercaseText == address.key: UserActor(address: address)
    case .world where address.key == address.world: WorldActor(address: address)
    case .notifications where address.key == address.world: NotificationsActor(address: address)
    default: nil
    }
  }

  mutating func deadLetter(_ envelope: Envelope, _ address: ActorAddress) {
    count { $0.deadLetters += 1 }
    switch envelope {
    case .request(let asker, _, _, _): reply(asker, .failure(.nobody(at: address)))
    case .effect, .timer: effectDone(address.world)
    case .subscriber, .delivery: break
    }
  }
}

extension Envelope {
  var isRequest: Bool {
    if case .request = self { return true }
    return false
  }

  /// Whether it must not fall into the middle of a clock jump: everything that may change something.
  var waitsForJump: Bool {
    guard case .request(_, let name, _, _) = self else { return false }
    return !Envelope.reading.contains(name)
  }

  private static let reading: Set<String> = [
    CatchUp.name, GetAppTransaction.name, GetSignedCopies.name, ReadJournal.name, GetEntitlements.name,
    DescribeFamily.name, DescribeWorld.name, ListDevices.name, ListAccounts.name, GetIntroEligibility.name,
    GetProducts.name, Settle.name,
    DescribeAPIKeys.name, DescribeExtension.name, GetSubscriptions.name, LocateAccount.name,
    ListNotifications.name, GetNotificationHistory.name, GetTestNotificationStatus.name,
  ]
}

extension WireError {
  static func nobody(at address: ActorAddress) -> WireError {
    guard address.kind == .user else { return WireError(.unknownAddress, "nobody has the address \(address)") }
    return WireError(
      .unknownAddress, "'\(address.key)' is no user: a user's key is an appAccountToken, a UUID in lower case")
  }
}
