import ClientNode
import Foundation
import Wire

/// The host of a resident app: nobody asks it anything, since the node answers for it.
struct NoHost: AppHost {
  func launch(_ daemon: any StoreDaemon, user: UUID?) async throws {}
  func appear(device: String) async {}
  func kill(device: String) async {}
  func buy(device: String, order: PurchaseOrder) async -> TapBuy.Reply { TapBuy.Reply(phase: "failed") }
  func restore(device: String) async -> TapRestore.Reply { TapRestore.Reply(outcome: "failed") }
  func signIn(device: String, user: UUID?) async {}
  func screen(device: String) async -> AppScreen? { nil }
  func onScreenChange(_ handler: @escaping @Sendable (String) -> Void) {}
}
