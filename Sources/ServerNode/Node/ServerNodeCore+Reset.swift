import Foundation
import Shared
import Wire

/// How a world forgets: everything but its own actor is erased, under a higher epoch, and the accounts are opened anew.
///
/// A durable timer of the world drives it, so that a node that dies in between does it again.
extension ServerNodeCore {
  /// Called when every effect is applied, so that nothing of before can arrive afterwards.
  mutating func erase(_ world: String) {
    guard !commits.values.contains(where: { $0.address.world == world }) else { return }
    worlds[world]?.outstanding = 1
    emit(.erase(world: world, keeping: [ActorAddress(world: world, kind: .world, key: world)]))
  }

  mutating func erased(_ world: String, _ result: Result<UInt64, JournalError>) {
    switch result {
    case .failure(let error):
      // The next heartbeat tries again.
      emit(.log("world '\(world)' could not be reset: \(error.message)"))
      worlds[world]?.outstanding = 0
    case .success(let epoch):
      let address = ActorAddress(world: world, kind: .world, key: world)
      let waiting = forgetActors(of: world, but: address)
      worlds[world]?.epoch = epoch
      worlds[world]?.timers = TimerHeap()
      worlds[world]?.notifications = NotificationRuntime(epoch: epoch)
      cells[address]?.sent = [:]
      cells[address]?.applied = [:]
      if let due = cells[address]?.timers[WorldState.resetTimer] {
        worlds[world]?.timers.set(address, WorldState.resetTimer, due: due)
        deliver(.timer(name: WorldState.resetTimer, due: due), to: address)
      } else {
        worlds[world]?.outstanding = 0
      }
      for (address, envelope) in waiting { deliver(envelope, to: address) }
    }
  }

  /// - Returns: what was in the mailboxes: questions and subscribers, since changes wait.
  private mutating func forgetActors(
    of world: String, but kept: ActorAddress
  ) -> [(ActorAddress, Envelope)] {
    var waiting: [(ActorAddress, Envelope)] = []
    for address in cells.keys.filter({ $0.world == world && $0 != kept }).sorted() {
      guard var cell = cells.removeValue(forKey: address) else { continue }
      while let envelope = cell.mailbox.popFirst() { waiting.append((address, envelope)) }
      let error = WireError(.unavailable, "world '\(world)' was reset meanwhile: ask again")
      for asker in cell.waiting.values.joined() { reply(asker, .failure(error)) }
    }
    positions = positions.filter { $0.key.world != world || $0.key == kept }
    recentlyChanged = recentlyChanged.filter { $0.key.world != world || $0.key == kept }
    return waiting
  }
}
