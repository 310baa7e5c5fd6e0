import ClientNode
import StoreKit
import Wire

/// A simulated phone, signed in to an account. Beyond Apple, whose tests have one.
public struct SKTestDevice: Sendable {
  let world: TestWorld
  let device: TestDevice

  public var name: String { device.name }
  /// The account that it is signed in to.
  public var account: String { device.account }

  /// Runs code of an app on this device: StoreKit calls in it, and in the tasks that it starts, are this device's.
  public func run<Value>(_ body: () throws -> Value) rethrows -> Value {
    try CurrentDevice.$daemon.withValue(device.daemon, operation: body)
  }

  /// The same for code that suspends, on the caller's actor.
  public nonisolated(nonsending) func run<Value>(
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    try await CurrentDevice.$daemon.withValue(device.daemon, operation: body)
  }

  /// Airplane mode on, or off: when this returns, a device that is online again has what it missed.
  public func setOnline(_ online: Bool) throws { try world.tell(SetOnline(online: online), world.device(name)) }

  /// As `SKTestSession.allTransactions()`, of this device's account.
  public func allTransactions() -> [SKTestTransaction] { world.transactions(of: account) }
}

extension SKTestSession {
  /// The device that code runs on which was given no other.
  public var device: SKTestDevice {
    get throws { try device(TestWorld.ownDevice) }
  }

  public var devices: [SKTestDevice] { world.devices.map { SKTestDevice(world: world, device: $0) } }

  /// A device of this name: the one that there is, else a new one of the same account.
  public func device(_ name: String) throws -> SKTestDevice {
    try world.device(named: name, account: TestWorld.ownAccount)
  }
}

extension TestWorld {
  func device(named name: String, account: String, asksToBuy: Bool = false) throws(SKTestError) -> SKTestDevice {
    changes.lock()
    defer { changes.unlock() }
    if let known = devices.first(where: { $0.name == name }) { return SKTestDevice(world: self, device: known) }
    return SKTestDevice(world: self, device: try addDevice(name, account: account, asksToBuy: asksToBuy))
  }
}
