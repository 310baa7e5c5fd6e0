import Synchronization

/// Finds the device that a static StoreKit call is about: a task-local, else the process's one device.
package enum CurrentDevice {
  @TaskLocal package static var daemon: (any StoreDaemon)?
  /// See `Purchase.intendedAt`: travels from a tap to the purchase that the app makes of it.
  @TaskLocal package static var intendedAt: Int64?

  private struct State {
    var running: [String: any StoreDaemon] = [:]
    /// Listeners that began before the process was a device, by number; each goes away with its reader.
    var waiting: [UInt64: Waiting] = [:]
    var lastWaiting: UInt64 = 0
  }

  private struct Waiting {
    weak var stream: DaemonStream<any StoreDaemon>?
  }

  private static let state = Mutex(State())

  /// Called at each launch; the last incarnation of a device counts.
  /// - Parameter isProcess: whether the process as a whole is this device, as a test's is: then it is also the one of what
  ///   began to listen earlier.
  package static func register(_ daemon: any StoreDaemon, isProcess: Bool = false) {
    let waiting = state.withLock { state -> [Waiting] in
      state.running[key(daemon.device)] = daemon
      guard isProcess else { return [] }
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for waiting in waiting { waiting.stream?.yield(daemon) }
  }

  package static func unregister(_ daemon: any StoreDaemon) {
    state.withLock { if $0.running[key(daemon.device)] === daemon { $0.running[key(daemon.device)] = nil } }
  }

  /// Worlds that share a process may have devices of the same name.
  private static func key(_ device: DeviceIdentity) -> String { "\(device.world)/\(device.name)" }

  /// The device of the calling task; when it has none, the only one in the process. Several and no task-local is never
  /// a guess.
  package static func find() throws(NoDevice) -> any StoreDaemon {
    if let daemon { return daemon }
    return try state.withLock { state throws(NoDevice) in try find(in: state) }
  }

  private static func find(in state: borrowing State) throws(NoDevice) -> any StoreDaemon {
    guard let first = state.running.first?.value else { throw NoDevice.none }
    guard state.running.count == 1 else { throw NoDevice.several(state.running.keys.sorted()) }
    return first
  }

  /// Has one element, as soon as this process is a device: for a listener that began before.
  package static func first() -> DaemonStream<any StoreDaemon> {
    let number = state.withLock { state -> UInt64 in
      state.lastWaiting += 1
      return state.lastWaiting
    }
    let stream = DaemonStream<any StoreDaemon>(onEnd: { _ in state.withLock { $0.waiting[number] = nil } })
    let found = state.withLock { state -> (any StoreDaemon)? in
      // It may have come meanwhile.
      if let daemon = try? find(in: state) { return daemon }
      state.waiting[number] = Waiting(stream: stream)
      return nil
    }
    if let found { stream.yield(found) }
    return stream
  }
}

/// Why a StoreKit call found no device, with the way out.
package enum NoDevice: Error, CustomStringConvertible {
  case none
  case several([String])

  package var description: String {
    switch self {
    case .none:
      "StoreKit was called where no device runs: start the app with 'storefleet up --app PATH', or in a test open an SKTestSession first"
    case .several(let names):
      "StoreKit was called outside of any device's tasks while \(names.count) devices run in this process (\(names.prefix(3).joined(separator: ", "))…): call it from a task that began in the app's initializer, or run one device a process"
    }
  }
}
