import Foundation
import Shared
import Wire

/// What happens once a turn's events are on disk, or are refused.
extension ServerNodeCore {
  mutating func appended(_ ticket: Ticket, _ result: Result<JournalAppendResult, JournalError>) {
    guard let commit = commits.removeValue(forKey: ticket) else { return }
    let address = commit.address
    if commit.envelope.isRequest { worlds[address.world]?.requestCommits -= 1 }
    // Timers wait for requests whose commit is on its way, and a reset until nothing is on its way at all.
    defer {
      let next = worlds[address.world]?.nextTimer()
      if commit.envelope.isRequest || address.kind == .notifications || next?.actor.kind == .world {
        pump(address.world)
      }
    }
    switch result {
    case .success(.committed(let sequence)):
      count { $0.commits += 1 }
      cells[address]?.phase = .ready
      finish(commit, sequence: sequence)
      run(address)
    case .success(.alreadyAnswered(let body)):
      // A retry that overtook: the stored reply counts, and what was decided here never happened.
      if case .request(let asker, _, _, _) = commit.envelope { reply(asker, .success(body)) }
      reload(address, first: nil)
    case .success(.alreadyApplied):
      complete(commit.news)
      reload(address, first: nil)
      effectDone(address.world)
    case .success(.conflict):
      count { $0.conflicts += 1 }
      reload(address, first: commit.envelope)
    case .failure(let error):
      emit(.log("\(address) could not commit: \(error.message)"))
      putOff(commit.envelope, address, WireError(.unavailable, error.message))
      reload(address, first: nil)
    }
  }

  /// The events are on disk: now everybody may hear of them.
  mutating func finish(_ commit: PendingCommit, sequence: UInt64) {
    let address = commit.address
    apply(commit, sequence: sequence)
    publish(commit.news)
    worlds[address.world]?.outstanding += commit.append.effects.count
    for effect in commit.append.effects { deliver(.effect(effect), to: effect.id.target) }
    complete(commit.news)
    switch commit.envelope {
    case .timer, .effect: effectDone(address.world)
    case .subscriber: break
    case .delivery(let report): finishReport(report, address.world)
    case .request(let asker, _, _, _):
      if let key = commit.waitsFor {
        cells[address]?.waiting[key, default: []].removeAll { $0 == asker }
        cells[address]?.waiting[key, default: []].append(asker)
      }
      answer(asker, commit.reply, at: address)
    }
    if address.kind == .notifications { driveNotifications(address.world) }
  }

  /// Answers the requests that waited for what is now known.
  mutating func complete(_ news: CommitNews) {
    for (key, result) in news.completed {
      for asker in cells[news.address]?.waiting.removeValue(forKey: key) ?? [] { reply(asker, result) }
    }
  }

  mutating func apply(_ commit: PendingCommit, sequence: UInt64) {
    let address = commit.address
    cells[address]?.remember(commit, sequence: sequence)
    for change in commit.append.timers {
      switch change {
      case .set(let name, let due):
        worlds[address.world]?.timers.set(address, name, due: StoreTime(milliseconds: due))
      case .clear(let name): worlds[address.world]?.timers.clear(address, name)
      }
    }
    if !commit.append.events.isEmpty { noteEvents(of: address, sequence: sequence) }
  }

  /// What others may know from now on.
  mutating func noteEvents(of address: ActorAddress, sequence: UInt64) {
    positions[address] = sequence
    if address.kind == .account { recentlyChanged[address] = moment.monotonic }
    if address.kind == .world { worldChanged(address) }
  }

  mutating func publish(_ news: CommitNews) {
    let address = news.address
    // Nearly all actors in a clock jump; what a world says may concern the node itself.
    if address.kind != .world, !subscriptions.cover(address) {
      return count { $0.unheardPublications += UInt64(news.publications.count) }
    }
    for (index, publication) in news.publications.enumerated() {
      let sequence = news.sequence + UInt64(index) + 1
      switch publication {
      case .account(let event, let written):
        let at = StoreTime(milliseconds: news.events[index].at)
        publish(
          address, sequence: sequence, name: event.kind.rawValue,
          body: event.update(sequence: sequence, at: at)
            .json(records: written.records, renewalInfos: written.renewalInfos))
      case .body(let name, let body):
        publish(address, sequence: sequence, name: name, body: body)
        if name == HabitsChanged.name { tellClientNodes(of: address.world, habits: body) }
      case nil: break
      }
    }
  }
}
