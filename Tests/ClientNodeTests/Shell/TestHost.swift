import ClientNode
import Foundation
import Shared
import Wire

/// Apps that listen from their initializer on, and let a test await what they got.
actor TestHost: AppHost {
  struct Seen: Hashable, Sendable {
    var device: String
    var transaction: TransactionID
    var failure: VerificationFailure?
  }

  private(set) var daemons: [String: any StoreDaemon] = [:]
  private(set) var seen: [Seen] = []
  private(set) var ended = 0
  private(set) var appeared: [String] = []
  private var listeners: [Task<Void, Never>] = []
  private var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  func launch(_ daemon: any StoreDaemon, user: UUID?) async throws {
    daemons[daemon.device.name] = daemon
    let updates = daemon.updates()
    listeners.append(
      Task {
        while let element = await updates.next() {
          note(Seen(device: daemon.device.name, transaction: element.record.transactionId, failure: element.failure))
        }
        ended += 1
        wake()
      })
  }

  func appear(device: String) async { appeared.append(device) }
  func kill(device: String) async { daemons[device] = nil }

  func buy(device: String, order: PurchaseOrder) async -> TapBuy.Reply {
    guard let daemon = daemons[device] else { return TapBuy.Reply(phase: "failed") }
    do {
      guard case .success(let element) = try await daemon.purchase(order) else { return TapBuy.Reply(phase: "pending") }
      await daemon.finish(element.record.transactionId)
      return TapBuy.Reply(phase: "completed", message: "\(element.record.transactionId)")
    } catch {
      return TapBuy.Reply(phase: "failed", message: "\(error)")
    }
  }

  func restore(device: String) async -> TapRestore.Reply { TapRestore.Reply(outcome: "restored") }
  func signIn(device: String, user: UUID?) async {}
  func screen(device: String) async -> AppScreen? { daemons[device] == nil ? nil : AppScreen(access: .unlocked) }
  nonisolated func onScreenChange(_ handler: @escaping @Sendable (String) -> Void) {}

  private func note(_ element: Seen) {
    seen.append(element)
    wake()
  }

  private func wake() {
    let count = seen.count + ended
    for waiter in waiters where waiter.count <= count { waiter.continuation.resume() }
    waiters.removeAll { $0.count <= count }
  }

  /// Waits until so many elements came or listeners ended, together.
  func wait(for count: Int) async {
    if seen.count + ended >= count { return }
    await withCheckedContinuation { waiters.append((count, $0)) }
  }
}
