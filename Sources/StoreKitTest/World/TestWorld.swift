import ClientNode
import Foundation
import ServerNode
import Shared
import StoreKit
import Synchronization
import Wire

/// An App Store and its devices inside this process: what sessions act on.
///
/// As with Apple, all sessions of a process share one; inside the trait `storeKitWorld` a test has its own.
final class TestWorld: Sendable {
  @TaskLocal static var scoped: TestWorld?

  private static let shared = Mutex<TestWorld?>(nil)
  private static let count = Atomic<Int>(0)
  /// The account of `phone`, which is the device of the process.
  static let ownAccount = "tester"
  static let ownDevice = "phone"
  static let familyName = "family"

  /// The world of the calling task, else that of the process.
  static func current(_ configuration: StoreKitConfiguration) throws -> TestWorld {
    if let scoped { return scoped }
    return try shared.withLock { world in
      if let world { return world }
      let made = try TestWorld(configuration, isShared: true)
      world = made
      return made
    }
  }

  struct State: Sendable {
    var catalog = ""
    var settings = SessionSettings()
    /// What `resetToDefaultState` goes back to.
    var defaults = SessionSettings()
    var devices: [TestDevice] = []
    var members: [String] = []
    var failures: [FailableAPI: any SimulatedFailureSource] = [:]
    var ledger = PendingLedger()
  }

  let name: String
  private let server: StoreServer
  private let context: ZMQContext
  private let endpoint: String
  let state: Mutex<State>
  /// Held while something is changed, so that changes of several threads come one after the other.
  let changes = NSRecursiveLock()

  /// - Parameter isShared: whether its own device is the one that code without any task-local finds.
  init(_ configuration: StoreKitConfiguration, isShared: Bool = false) throws {
    let number = TestWorld.count.wrappingAdd(1, ordering: .relaxed).newValue
    name = "test-\(number)"
    context = try ZMQContext()
    var options = StoreServer.Configuration(node: "store-\(number)", dataFolder: nil)
    options.requestsEndpoint = "inproc://\(name)/requests"
    options.eventsEndpoint = "inproc://\(name)/events"
    endpoint = options.requestsEndpoint
    let server = try StoreServer(options, context: context) { TestWorld.log($0) }
    self.server = server
    let started = Waiter<Result<StoreServer.Endpoints, any Error>>()
    server.start { started.fulfill($0) }
    guard let result = started.wait(seconds: 60) else {
      throw SKTestError(.serviceUnavailable, "the store of this process did not start in time")
    }
    _ = try result.get()
    var state = State()
    state.catalog = configuration.text
    self.state = Mutex(state)
    try open(configuration, isShared: isShared)
  }

  private func open(_ configuration: StoreKitConfiguration, isShared: Bool) throws {
    // Tests begin to listen when it suits them: what comes before waits for them.
    let habits = try HabitChange(parsing: "documented,bufferedReplay=on")
    try ask(
      CreateWorld(catalog: configuration.text, bundleId: bundleId, environment: "Xcode", habits: habits), of: world)
    _ = try addDevice(TestWorld.ownDevice, account: TestWorld.ownAccount, isProcess: isShared)
    use(configuration.settings)
  }

  private var bundleId: String { Bundle.main.bundleIdentifier ?? "com.example.app" }

  static func log(_ line: String) { FileHandle.standardError.write(Data("StoreKitTest: \(line)\n".utf8)) }

  // MARK: Addresses

  var world: ActorAddress { ActorAddress(world: name, kind: .world, key: name) }
  func account(_ account: String) -> ActorAddress { ActorAddress(world: name, kind: .account, key: account) }
  func device(_ device: String) -> ActorAddress { ActorAddress(world: name, kind: .device, key: device) }
  var family: ActorAddress { ActorAddress(world: name, kind: .family, key: TestWorld.familyName) }

  // MARK: Asking

  /// Nothing here takes as long, short of a machine that is suspended.
  private static let patience = Duration.seconds(60)

  @discardableResult
  func ask<Message: Request>(_ message: Message, of address: ActorAddress) throws(SKTestError) -> Message.Reply {
    do throws(WireError) {
      return try server.local.askAndWait(message, of: address, within: TestWorld.patience)
    } catch {
      throw SKTestError(error)
    }
  }

  /// Does something, and returns when every device shows it.
  @discardableResult
  func tell<Message: Request>(_ message: Message, _ address: ActorAddress) throws(SKTestError) -> Message.Reply {
    do throws(WireError) {
      let reply = try server.local.askAndWait(message, of: address, within: TestWorld.patience)
      _ = try server.local.askAndWait(Settle(), of: world, within: TestWorld.patience)
      return reply
    } catch {
      throw SKTestError(error)
    }
  }

  /// For members that cannot throw: what they ask is refused only when the store of the process is gone.
  func tellQuietly(_ message: some Request, _ address: ActorAddress) {
    do { _ = try tell(message, address) } catch { TestWorld.log(error.description) }
  }

  func settle() { tellQuietly(DescribeWorld(), world) }

  // MARK: Devices

  var devices: [TestDevice] { state.withLock { $0.devices } }
  var own: TestDevice? { devices.first }
  var accounts: [String] {
    var seen: Set<String> = []
    return devices.map(\.account).filter { seen.insert($0).inserted }
  }

  func addDevice(
    _ device: String, account: String, asksToBuy: Bool = false, isProcess: Bool = false
  ) throws(SKTestError) -> TestDevice {
    changes.lock()
    defer { changes.unlock() }
    guard ActorAddress.isName(device), ActorAddress.isName(account) else {
      throw SKTestError(.invalidAction, "'\(device)' of '\(account)' are no names: use letters, digits and . _ - + @")
    }
    guard !devices.contains(where: { $0.name == device }) else {
      throw SKTestError(.invalidAction, "there is a device '\(device)' already")
    }
    if !accounts.contains(account) {
      try tell(OpenAccount(account: account, asksToBuy: asksToBuy), world)
      if state.withLock({ $0.settings.shouldEnterBillingRetryOnRenewal }) {
        try tell(SetBilling(fails: true), self.account(account))
      }
    }
    let made = try TestDevice(
      name: device, account: account, world: name, endpoint: endpoint, context: context, isProcess: isProcess)
    try tell(LaunchDevice(), self.device(device))
    try made.requireDaemon()
    let (settings, failures) = state.withLock { ($0.settings, $0.failures) }
    if settings.failTransactionsEnabled {
      let failure = SimulatedFailure(settings.failureError)
      try tell(SetSimulatedError(api: .purchase, failure: failure), self.device(device))
    }
    for (api, source) in failures {
      try tell(SetSimulatedError(api: api, failure: source.failure), self.device(device))
    }
    state.withLock { $0.devices.append(made) }
    return made
  }

  /// Ends the devices and the store.
  func close() async {
    for device in devices { device.close() }
    await server.stop()
  }
}
