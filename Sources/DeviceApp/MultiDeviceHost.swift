package import ClientNode
package import Foundation
import Observation
import Synchronization
package import Wire

/// Runs one `App` object for each device, all in this process.
///
/// The device travels as a task-local from `App.init` into all that the app starts. A change of the screen is told at
/// once when `screen` reads `@Observable` state; for other apps, once after each of their StoreKit calls.
package final class MultiDeviceHost<App: DeviceApp>: AppHost {
  @MainActor private var running: [String: RunningApp<App>] = [:]
  private let handler = Mutex<ScreenHandler?>(nil)

  /// Not the closure alone: a generic lock would put one more thunk around it each time that it is looked at, and a call
  /// would then take as long as there had been calls before it.
  private struct ScreenHandler: Sendable {
    let screenMayHaveChanged: @Sendable (String) -> Void
  }

  package init() {}

  package func onScreenChange(_ handler: @escaping @Sendable (String) -> Void) {
    self.handler.withLock { $0 = ScreenHandler(screenMayHaveChanged: handler) }
  }

  /// The apps that run, by device.
  @MainActor package var apps: [String: App] { running.mapValues(\.app) }

  private func screenMayHaveChanged(_ device: String) {
    handler.withLock { $0 }?.screenMayHaveChanged(device)
  }

  // MARK: The phone

  @MainActor package func launch(_ daemon: any StoreDaemon, user: UUID?) async throws {
    let name = daemon.device.name
    end(name)
    let observed = ObservedDaemon(daemon) { [weak self] in self?.appHasCalled(name) }
    CurrentDevice.register(observed)
    let app = CurrentDevice.$daemon.withValue(observed) { App() }
    let launched = RunningApp(app: app, daemon: observed) { [weak self] in self?.screenMayHaveChanged(name) }
    running[name] = launched
    if let user { await act(on: launched) { await app.signIn(user: user) } }
    screenMayHaveChanged(name)
  }

  @MainActor package func appear(device: String) async {
    guard let target = running[device] else { return }
    await act(on: target) { target.app.appear() }
    target.daemon.appDidAppear()
    screenMayHaveChanged(device)
  }

  @MainActor package func kill(device: String) async {
    end(device)
    screenMayHaveChanged(device)
  }

  @MainActor private func end(_ device: String) {
    guard let ended = running.removeValue(forKey: device) else { return }
    CurrentDevice.unregister(ended.daemon)
  }

  // MARK: The person who holds it

  @MainActor package func buy(device: String, order: PurchaseOrder) async -> TapBuy.Reply {
    guard let target = running[device] else { return .failed(.notRunning) }
    _ = target.daemon.takeLastPurchase()
    await act(on: target, intendedAt: order.intendedAt) {
      await target.app.buy(order.productId, quantity: order.quantity)
    }
    defer { screenMayHaveChanged(device) }
    guard running[device] === target else { return .failed(.notRunning) }
    let screen = target.app.screen
    switch screen.phase {
    case .idle:
      // Idle is what an app shows after a purchase that was cancelled, and what one shows that has no phases.
      return target.daemon.takeLastPurchase() ?? .failed("The app did not ask StoreKit for a purchase.")
    case .purchasing: return TapBuy.Reply(phase: "started", message: screen.message)
    case .awaitingApproval, .completed, .failed:
      return TapBuy.Reply(phase: screen.phase.rawValue, message: screen.message)
    }
  }

  @MainActor package func restore(device: String) async -> TapRestore.Reply {
    guard let target = running[device] else { return .failed(.notRunning) }
    await act(on: target) { await target.app.restore() }
    defer { screenMayHaveChanged(device) }
    guard running[device] === target else { return .failed(.notRunning) }
    let screen = target.app.screen
    guard let outcome = screen.restore else { return .failed("The app does not say how the restore ended.") }
    return TapRestore.Reply(outcome: outcome.rawValue, message: outcome == .failed ? screen.message : nil)
  }

  @MainActor package func signIn(device: String, user: UUID?) async {
    guard let target = running[device] else { return }
    await act(on: target) { await target.app.signIn(user: user) }
    screenMayHaveChanged(device)
  }

  @MainActor package func screen(device: String) async -> AppScreen? {
    running[device].map { AppScreen($0.readScreen()) }
  }

  // MARK: Inside

  @MainActor private func act(
    on target: RunningApp<App>, intendedAt: Int64? = nil, _ action: @MainActor () async -> Void
  ) async {
    await CurrentDevice.$daemon.withValue(target.daemon) {
      await CurrentDevice.$intendedAt.withValue(intendedAt) { await action() }
    }
  }

  private func appHasCalled(_ device: String) {
    guard !(App.self is any Observable.Type) else { return }
    // The app goes on once this returns, as a rule on the main actor: behind it there, its screen has changed.
    Task { @MainActor in
      await Task.yield()
      screenMayHaveChanged(device)
    }
  }
}

extension String {
  fileprivate static let notRunning = "The app does not run on this device."
}

extension TapBuy.Reply {
  fileprivate static func failed(_ message: String) -> TapBuy.Reply { TapBuy.Reply(phase: "failed", message: message) }
}

extension TapRestore.Reply {
  fileprivate static func failed(_ message: String) -> TapRestore.Reply {
    TapRestore.Reply(outcome: "failed", message: message)
  }
}
