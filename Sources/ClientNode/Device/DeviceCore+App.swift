import Foundation
import Shared
import Wire

extension DeviceCore {
  /// How long after the app's initializer has returned an iterator still gets the launch replay.
  static let launchWindowMilliseconds: Int64 = 2_000

  /// Begins the next launch; it must be stored before the app runs, so that its number is never used again.
  mutating func beginLaunch(at now: MonotonicTime) -> AppID {
    store.change { $0.launches += 1 }
    let id = AppID(device: name, incarnation: store.state.launches)
    self.now = now
    app = AppSession(id: id, at: now)
    mayHaveClaims = true
    return id
  }

  mutating func launched(at now: MonotonicTime) -> MonotonicTime {
    let ends = now.advanced(byMilliseconds: DeviceCore.launchWindowMilliseconds)
    app?.phase = .running
    app?.windowEnds = ends
    return ends
  }

  /// Ends the app: nothing that it asked for has an effect on it any more.
  mutating func endApp(_ effects: inout [ClientEffect]) {
    guard let app else { return }
    let iterators = app.iterators + app.statusIterators + app.storefrontIterators
    if !iterators.isEmpty { effects.append(.end(iterators)) }
    for call in app.openCalls.sorted() { effects.append(.answer(call, .failure(.appNotRunning))) }
    self.app = nil
  }

  mutating func openIterator(
    _ id: IteratorID, _ kind: IteratorKind, at now: MonotonicTime, _ effects: inout [ClientEffect]
  ) {
    switch kind {
    case .transactions: break
    case .statuses:
      app?.statusIterators.append(id)
      return
    case .storefronts:
      app?.storefrontIterators.append(id)
      return
    }
    app?.iterators.append(id)
    guard let app else { return }
    if !app.kept.isEmpty {
      giveKept(to: id, &effects)
      if app.hasReplayed { return }
    }
    // Before the replay there is no reason to be strict: nothing is lost for who comes late while the store loads.
    if !app.hasReplayed || app.windowEnds.map({ now < $0 }) ?? true { self.app?.awaitingReplay.append(id) }
  }

  mutating func ageListeners() { app.map { self.app?.aged = Set($0.iterators) } }

  mutating func closeIterator(_ id: IteratorID, unread: [TransactionID]) {
    app?.iterators.removeAll { $0 == id }
    app?.aged.remove(id)
    if habits.bufferedReplay, app?.iterators.isEmpty == true { app?.kept += unread }
    app?.awaitingReplay.removeAll { $0 == id }
    app?.statusIterators.removeAll { $0 == id }
    app?.storefrontIterators.removeAll { $0 == id }
  }

  /// The views come up once somebody listens, or when the launch window closes: only an app that listens too late
  /// waits.
  mutating func appearIfDue(at now: MonotonicTime, _ effects: inout [ClientEffect]) {
    guard let app, !app.hasAppeared, app.phase == .running, let ends = app.windowEnds,
      !app.iterators.isEmpty || now >= ends
    else { return }
    self.app?.hasAppeared = true
    effects.append(.appear(app.id))
  }
}
