import Foundation
package import Synchronization

/// Finds the device that a static StoreKit call is about: a task-local, else the process's one device.
package enum CurrentDevice {
  @TaskLocal package static var daemon: (any StoreDaemon)?
  /// See `Purchase.intendedAt`: travels from a tap to the purchase that the app makes of it.
  @TaskLocal package static var intendedAt: Int64?

  private static let running = Mutex<[String: any StoreDaemon]>([:])

  /// Makes the device of a process that has none. A process that is linked with StoreKitTest is an app by that alone, and
  /// tests begin listeners before the first session: XCTest makes every test case, with its properties, before it runs one.
  package static let source = Mutex<(any DeviceSource.Type)?>(
    NSClassFromString("StoreKitTest.TestProcess") as? any DeviceSource.Type)

  /// Called at each launch; the last incarnation of a device counts.
  package static func register(_ daemon: any StoreDaemon) {
    running.withLock { $0[key(daemon.device)] = daemon }
  }

  package static func unregister(_ daemon: any StoreDaemon) {
    running.withLock { if $0[key(daemon.device)] === daemon { $0[key(daemon.device)] = nil } }
  }

  /// Worlds that share a process may have devices of the same name.
  private static func key(_ device: DeviceIdentity) -> String { "\(device.world)/\(device.name)" }

  /// The device of the calling task; when it has none, the only one in the process. Several and no task-local is never
  /// a guess.
  package static func find() throws(NoDevice) -> any StoreDaemon {
    if let daemon { return daemon }
    if running.withLock({ $0.isEmpty }) { source.withLock { $0 }?.openDevice() }
    return try running.withLock { running throws(NoDevice) in
      guard let first = running.first?.value else { throw NoDevice.none }
      guard running.count == 1 else { throw NoDevice.several(running.keys.sorted()) }
      return first
    }
  }
}

/// Gives a process its device when the first StoreKit call needs it.
package protocol DeviceSource: AnyObject, SendableMetatype {
  /// Registers a device, or nothing when there is a reason not to.
  static func openDevice()
}

/// Why a StoreKit call found no device, with the way out.
package enum NoDevice: Error, CustomStringConvertible {
  case none
  case several([String])

  package var description: String {
    switch self {
    case .none:
      "StoreKit was called where no device runs: start the app with 'storefleet up --app', or in a test open an SKTestSession first"
    case .several(let names):
      "StoreKit was called outside of any device's tasks while \(names.count) devices run in this process (\(names.prefix(3).joined(separator: ", "))…): call it from a task that began in the app's initializer, or run one device a process"
    }
  }
}
