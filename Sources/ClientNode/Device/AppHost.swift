package import Foundation
package import Wire

/// Runs the apps of a client node's devices: one running app a device at most.
///
/// The node tells the host what a person does to the phone; the app does the rest through the StoreKit module. Each call
/// comes in a task of its own. For one device the next `launch` comes after `kill` has returned, and `kill` after
/// `launch` has, or two seconds later when an initializer hangs. The other calls may come when the app has just been
/// killed: then there is nothing to do.
package protocol AppHost: Sendable {
  /// Runs the app's initializer with `daemon` as its device, and returns when it has returned.
  func launch(_ daemon: any StoreDaemon, user: UUID?) async throws
  /// The app's first views come up.
  func appear(device: String) async
  /// The app is gone; nothing of it is called again.
  func kill(device: String) async
  func buy(device: String, order: PurchaseOrder) async -> TapBuy.Reply
  func restore(device: String) async -> TapRestore.Reply
  /// A user of the app signs in; nil signs out.
  func signIn(device: String, user: UUID?) async
  /// What the app shows now; nil when it does not run.
  func screen(device: String) async -> AppScreen?
  /// Calls `handler` with a device's name after its screen may have changed.
  func onScreenChange(_ handler: @escaping @Sendable (String) -> Void)
  /// Answers a request to the node itself, `W/node/NAME`.
  func answer(_ name: String, body: Data) async -> Result<Data, WireError>
}

extension AppHost {
  package func answer(_ name: String, body: Data) async -> Result<Data, WireError> {
    .failure(WireError(.unknownName, "a client node knows no request '\(name.prefix(100))'"))
  }
}
