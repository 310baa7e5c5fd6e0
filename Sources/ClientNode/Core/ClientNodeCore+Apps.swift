import Foundation
import Shared
import Wire

extension ClientNodeCore {
  // MARK: Launch

  mutating func launch(_ name: String, _ request: RequestID) {
    if let app = devices[name]?.app, app.phase == .running {
      replyReport(request, name)
      return
    }
    control.launching[name, default: []].append(request)
    if let account = devices[name]?.account { hasten(account) }
    launchParked(name)
  }

  /// Begins a launch that is asked for, unless the app still runs or ends, or the world is not known yet.
  mutating func launchParked(_ name: String) {
    guard control.launching[name] != nil, world != nil, let device = devices[name], device.app == nil,
      device.endingApp == nil
    else { return }
    guard let app = devices[name]?.beginLaunch(at: now) else { return }
    checkStoredCopies(name)
    touch(name)
    after(.startApp(app))
  }

  /// The launch is counted on disk: its number is never used again.
  mutating func startApp(_ app: AppID) {
    guard isRunning(app), let world, let state = devices[app.device]?.store.state else { return }
    var identity = DeviceIdentity(
      world: configuration.world, name: app.device, account: state.account, bundleId: world.bundleId,
      incarnation: app.incarnation, deviceVerificationId: state.deviceVerificationId)
    identity.environment = world.environment
    identity.storefront = state.storefront ?? world.storefront
    devices[app.device]?.app?.storefront = identity.storefront
    identity.canMakePayments = devices[app.device]?.purchasesAllowed ?? true
    if configuration.endsWithApp {
      effects.append(.remember(UnansweredRequests(launches: control.launching[app.device] ?? [])))
    }
    effects.append(.startApp(identity, user: state.user))
    timers.set(.initializer(app), at: now.advanced(byMilliseconds: ClientNodeCore.initializerMilliseconds))
    giveWaitingNotices(to: app)
  }

  /// How long whoever launches an app waits for its initializer. A debug build on a busy machine takes a second or two.
  static let initializerMilliseconds: Int64 = 20_000

  /// The app stays: its initializer may return yet.
  mutating func initializerDue(_ app: AppID) {
    guard isRunning(app), devices[app.device]?.app?.phase == .starting else { return }
    let message =
      "the app on \(app.device) is still in its initializer after 20 s: what takes long belongs into a task "
      + "('storefleet device kill \(app.device)' ends it)"
    effects.append(.log(message))
    readiness.launchIsOver(app.device, failure: message)
    for request in control.launching.removeValue(forKey: app.device) ?? [] {
      reply(request, WireError.refused(.wrongState, message))
    }
  }

  mutating func appLaunched(_ app: AppID, failure: String?) {
    timers.clear(.initializer(app))
    killStarted(app)
    guard isRunning(app) else { return }
    touch(app.device)
    lastEnd = nil
    if configuration.endsWithApp { effects.append(.remember(UnansweredRequests())) }
    let waiting = control.launching.removeValue(forKey: app.device) ?? []
    if let failure {
      devices[app.device]?.endApp(&effects)
      devices[app.device]?.endingApp = app
      effects.append(.killApp(app))
      dropRequests(of: app)
      let message = "the app on \(app.device) did not launch: \(failure)"
      effects.append(.log(message))
      readiness.launchIsOver(app.device, failure: message)
      for request in waiting { reply(request, WireError.refused(.wrongState, message)) }
      return
    }
    readiness.launchIsOver(app.device)
    if let ends = devices[app.device]?.launched(at: now) { timers.set(.launchWindow(app), at: ends) }
    giveWaitingNotices(to: app)
    readScreen(app.device)
    for request in waiting { replyReport(request, app.device) }
  }

  // MARK: Kill

  mutating func kill(_ name: String, _ request: RequestID) {
    readiness.launchIsOver(name)
    for launch in control.launching.removeValue(forKey: name) ?? [] {
      reply(launch, WireError.refused(.wrongState, "\(name) was killed while it was launched"))
    }
    guard let app = devices[name]?.app?.id else {
      if devices[name]?.endingApp != nil {
        control.killing[name, default: []].append(request)
      } else {
        replyReport(request, name)
      }
      return
    }
    control.killing[name, default: []].append(request)
    let isStarting = devices[name]?.app?.phase == .starting
    devices[name]?.endApp(&effects)
    devices[name]?.endingApp = app
    dropRequests(of: app)
    for tap in control.taps.removeValue(forKey: name) ?? [] {
      reply(tap, WireError.refused(.wrongState, "the app on \(name) was killed meanwhile"))
    }
    for inspection in control.inspecting.removeValue(forKey: name) ?? [] { replyReport(inspection, name) }
    touch(name)
    if configuration.endsWithApp {
      after(.endProcess(UnansweredRequests(kills: control.killing[name] ?? [])))
    } else if isStarting {
      // The host must not hear of the end before it has heard of the beginning; an initializer that hangs does not
      // keep its app alive.
      timers.set(.kill(app), at: now.advanced(byMilliseconds: ClientNodeCore.killMilliseconds))
    } else {
      effects.append(.killApp(app))
    }
  }

  /// How long a kill waits for an initializer to return.
  static let killMilliseconds: Int64 = 2_000

  /// The initializer of an app that was killed meanwhile has returned, or had long enough.
  mutating func killStarted(_ app: AppID) {
    guard devices[app.device]?.endingApp == app, timers.contains(.kill(app)) else { return }
    timers.clear(.kill(app))
    effects.append(.killApp(app))
  }

  mutating func appKilled(_ app: AppID) {
    guard devices[app.device]?.endingApp == app else { return }
    devices[app.device]?.endingApp = nil
    for request in control.killing.removeValue(forKey: app.device) ?? [] { replyReport(request, app.device) }
    launchParked(app.device)
  }

  /// What a dead app had asked of the store is not asked again.
  private mutating func dropRequests(of app: AppID) {
    _ = drop { $0.app == app }
    timers.clear(.launchWindow(app))
    timers.clear(.patience(app))
    timers.clear(.delivery(app))
  }

  // MARK: Screen

  /// Reads what the app shows; while that goes on, one more reading is kept in mind at most.
  mutating func readScreen(_ name: String) {
    guard let app = devices[name]?.app, app.phase == .running else { return }
    switch app.screenRead {
    case .idle:
      devices[name]?.app?.screenRead = .reading
      effects.append(.readScreen(app.id))
    case .reading, .readingStale: devices[name]?.app?.screenRead = .readingStale
    }
  }

  mutating func screenRead(_ app: AppID, _ screen: AppScreen?) {
    guard isRunning(app), let session = devices[app.device]?.app else { return }
    touch(app.device)
    devices[app.device]?.app?.screen = screen
    devices[app.device]?.app?.screenRead = .idle
    if session.screenRead == .readingStale {
      readScreen(app.device)
      return
    }
    for request in control.inspecting.removeValue(forKey: app.device) ?? [] { replyReport(request, app.device) }
  }
}
