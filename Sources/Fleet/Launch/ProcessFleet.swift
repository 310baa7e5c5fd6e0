import Foundation
import Glibc
import Launch
import Synchronization
package import Wire

/// A fleet of real processes on this machine: one server node, any number of client nodes, a run folder.
///
/// Everything that it starts ends with it: at `stop`, and when the launching process is killed.
package actor ProcessFleet {
  package struct Configuration: Sendable {
    package var name: String
    package var world: String
    /// The `storefleet` executable.
    package var executable: String
    /// Whether device stores are on disk, so that they survive a kill of their process.
    package var keepsDeviceStores: Bool
    /// Whether the server's journal is on disk.
    package var keepsServerData: Bool
    /// Whether the control connection follows all events.
    package var followsEvents: Bool
    /// Whether the server speaks HTTP, at a port of loopback.
    package var servesHTTP: Bool
    /// More arguments for the server and the client processes.
    package var serverArguments: [String]
    package var clientArguments: [String]
    /// Where the run folder is made.
    package var home: RunHome
    /// What runs on the devices; nil for the built-in app.
    package var app: AppExecutable?
    /// How long a node may take to become ready; a machine that starts a hundred at once is slow.
    package var patience: Duration

    package init(
      name: String, world: String, executable: String = ProcessFleet.ownExecutable, keepsDeviceStores: Bool = true,
      keepsServerData: Bool = true, followsEvents: Bool = true, servesHTTP: Bool = false,
      serverArguments: [String] = [], clientArguments: [String] = [], home: RunHome = RunHome(),
      app: AppExecutable? = nil, patience: Duration = .seconds(60)
    ) {
      self.name = name
      self.world = world
      self.executable = executable
      self.keepsDeviceStores = keepsDeviceStores
      self.keepsServerData = keepsServerData
      self.followsEvents = followsEvents
      self.servesHTTP = servesHTTP
      self.serverArguments = serverArguments
      self.clientArguments = clientArguments
      self.home = home
      self.app = app
      self.patience = patience
    }
  }

  /// The executable of this process.
  package static var ownExecutable: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
  }

  private static let grace = Duration.seconds(5)

  package nonisolated let configuration: Configuration
  package nonisolated let folder: RunFolder
  package nonisolated let token: String
  private let lifeline: Lifeline
  private var description: FleetDescription
  private var server: ChildProcess?
  private var clients: [Int: ChildProcess] = [:]
  private var seats: [Int: [DeviceRegistration]] = [:]
  private var apps: AppProcesses?
  private nonisolated let connection = Mutex<FleetConnection?>(nil)
  /// Process ids whose end was asked for.
  private var expectedEnds: Set<Int32> = []
  private nonisolated let appsAreThere = AsyncStream.makeStream(of: AppProcesses.self)
  private var isStartingMany = false
  /// Nodes that have become ready, for whoever watches them. Unbounded: there are as many as were started.
  private let started = AsyncStream.makeStream(of: StartedNode.self)

  private struct StartedNode: Sendable {
    var name: String
    var process: ChildProcess
  }

  package init(_ configuration: Configuration) throws {
    self.configuration = configuration
    folder = try RunFolder.create(name: configuration.name, in: configuration.home)
    var description = try folder.readDescription()
    description.world = configuration.world
    try folder.writeDescription(description)
    self.description = description
    token = description.token
    lifeline = try Lifeline()
  }

  // MARK: Server

  /// Starts the server node and connects to it. At a restart it listens where it did before, and knows the running
  /// clients' devices again when this returns.
  package func startServer() async throws {
    let endpoints = description.endpoints
    let said = try await start(
      "server", .server,
      [
        "server", "--listen", endpoints?.requests ?? "tcp://127.0.0.1:*",
        "--events", endpoints?.events ?? "tcp://127.0.0.1:*",
      ] + (configuration.keepsServerData ? ["--data", folder.dataPath + "/server"] : [])
        + httpArguments + configuration.serverArguments
    ) { server = $0 }
    let ready = try JSONDecoder().decode(FleetDescription.Endpoints.self, from: said)
    description.endpoints = ready
    try folder.writeDescription(description)
    guard connection.withLock({ $0 }) == nil else { return try await awaitClients() }
    let opened = try FleetConnection(endpoint: ready.requests, token: token, node: "launcher")
    try await opened.open(world: configuration.world, followsEvents: configuration.followsEvents)
    connection.withLock { $0 = opened }
  }

  private var httpArguments: [String] {
    guard configuration.servesHTTP else { return [] }
    let port = description.endpoints?.http.flatMap { URL(string: $0)?.port } ?? 0
    return ["--http", "127.0.0.1:\(port)"]
  }

  /// Waits until each client has introduced itself to the new server process: until then a request to one of its devices
  /// is a message to nobody.
  private func awaitClients() async throws {
    let deadline = ContinuousClock.now + configuration.patience
    for number in seats.keys.sorted() where clients[number] != nil || apps != nil {
      guard let seat = seats[number]?.last else { continue }
      let address = ActorAddress(world: seat.world, kind: .device, key: seat.device)
      while true {
        do {
          _ = try await control().ask(InspectDevice(), of: address)
          break
        } catch let error as WireError where error.code == .unknownAddress && ContinuousClock.now < deadline {
          try await Task.sleep(for: .milliseconds(10))
        }
      }
    }
  }

  /// Where the server node listens, once it has started.
  package var endpoints: FleetDescription.Endpoints? { description.endpoints }

  /// Kills the server process without warning.
  package func killServer() async {
    guard let server else { return }
    expectedEnds.insert(server.processID)
    _ = server.send(SIGKILL)
    _ = await server.waitUntilExit()
    self.server = nil
  }

  // MARK: Clients

  /// Starts the client process with this number, from 1, and waits until its devices are registered.
  package func startClient(_ number: Int, _ devices: [DeviceRegistration]) async throws {
    guard !devices.isEmpty else { return }
    guard let endpoint = description.endpoints?.requests else { throw FleetError("start the server first") }
    seats[number] = devices
    guard configuration.app == nil else { return try await startApp(number, devices) }
    let list = "\(folder.dataPath)/client-\(number).devices.json"
    try PrivateFile.write(JSONEncoder().encode(devices), to: list)
    var arguments = [
      "client", "--name", "client-\(number)", "--world", configuration.world, "--connect", endpoint, "--devices", list,
    ]
    if configuration.keepsDeviceStores { arguments += ["--store", "\(folder.dataPath)/client-\(number)"] }
    _ = try await start("client-\(number)", .client, arguments + configuration.clientArguments) { clients[number] = $0 }
  }

  /// Kills a client process without warning.
  package func killClient(_ number: Int) async {
    if let apps, let devices = seats[number] { return await apps.kill(appName(number, devices)) }
    guard let client = clients.removeValue(forKey: number) else { return }
    expectedEnds.insert(client.processID)
    _ = client.send(SIGKILL)
    _ = await client.waitUntilExit()
  }

  package func restartClient(_ number: Int) async throws {
    if let apps, let devices = seats[number] { return try await apps.restart(appName(number, devices)) }
    await killClient(number)
    try await startClient(number, seats[number] ?? [])
  }

  // MARK: Apps

  /// The process ids of apps, by the names of their devices, or of processes with several.
  package var appProcessIDs: [String: Int32] { get async { await apps?.processIDs ?? [:] } }

  private func startApp(_ number: Int, _ devices: [DeviceRegistration]) async throws {
    try await appProcesses().start(appName(number, devices), devices)
  }

  /// What a client process is called: the node's name in addresses, tables and logs.
  package func clientName(_ number: Int) -> String {
    guard apps != nil, let devices = seats[number] else { return "client-\(number)" }
    return appName(number, devices)
  }

  /// A process with one device is called as the device.
  private func appName(_ number: Int, _ devices: [DeviceRegistration]) -> String {
    devices.count == 1 ? devices[0].device : "client-\(number)"
  }

  private func appProcesses() throws -> AppProcesses {
    if let apps { return apps }
    guard let app = configuration.app, let endpoint = description.endpoints?.requests else {
      throw FleetError("start the server first")
    }
    let folder = folder
    let started = AppProcesses(
      .init(
        app: app, endpoint: endpoint, token: token, world: configuration.world, folder: folder.dataPath + "/apps",
        keepsStores: configuration.keepsDeviceStores, patience: configuration.patience, log: { folder.logPath(of: $0) }),
      lifeline: lifeline
    ) { [weak self] started in await self?.note(started.name, .app, started.process) }
    apps = started
    appsAreThere.continuation.yield(started)
    return started
  }

  /// What apps did by themselves, in a sentence each: that they crashed. Ends with the fleet. To be read once.
  package nonisolated var appCrashes: AsyncStream<String> {
    let apps = appsAreThere.stream
    let (crashes, crash) = AsyncStream.makeStream(of: String.self)
    let reading = Task {
      for await apps in apps {
        for await message in apps.crashes { crash.yield(message) }
      }
      crash.finish()
    }
    crash.onTermination = { _ in reading.cancel() }
    return crashes
  }

  /// The process ids of the clients, by number.
  package var clientProcessIDs: [Int: Int32] { clients.mapValues(\.processID) }
  /// Whether the server has run and was killed.
  var isServerDown: Bool { server == nil && description.endpoints != nil }

  package var serverProcessID: Int32? { server?.processID }

  // MARK: Processes

  /// Starts a node and waits for its word. Throws when it ends before that, with the last lines of its log.
  private func start(
    _ name: String, _ kind: FleetDescription.Node.Kind, _ arguments: [String], _ keep: (ChildProcess) -> Void
  ) async throws -> Data {
    let readiness = try Readiness(folder: folder, process: name)
    var environment = ProcessInfo.processInfo.environment
    environment["STOREFLEET_TOKEN"] = token
    let process = try ChildProcess.start(
      .init(
        executable: configuration.executable, arguments: arguments + ["--ready-file", readiness.path],
        environment: environment, output: .appended(toFileAt: folder.logPath(of: name)), ownProcessGroup: true,
        lifeline: lifeline))
    keep(process)
    note(name, kind, process)
    let said = try await readiness.firstWord(
      of: process, name, log: folder.logPath(of: name), patience: configuration.patience)
    started.continuation.yield(StartedNode(name: name, process: process))
    return said
  }

  /// Writes down which process a node is.
  private func note(_ name: String, _ kind: FleetDescription.Node.Kind, _ process: ChildProcess) {
    guard let identity = ProcessIdentity(runningProcess: process.processID) else { return }
    description.nodes.removeAll { $0.name == name }
    description.nodes.append(.init(name: name, kind: kind, process: identity))
    // That a table lacks a node is no reason to have none.
    if !isStartingMany { try? folder.writeDescription(description) }
  }

  /// While many are started, what is written once at the end says it all.
  func startingMany(_ body: () async throws -> Void) async throws {
    isStartingMany = true
    defer {
      isStartingMany = false
      try? folder.writeDescription(description)
    }
    try await body()
  }

  /// Waits until a node ends that was ready and that nobody asked to end, and says which; nodes that are started
  /// meanwhile are watched too. Nil when the task is cancelled. To be called once.
  package func unexpectedEnd() async -> String? {
    await withTaskGroup(of: (node: StartedNode, status: ExitStatus?)?.self) { group in
      let started = started.stream
      func watchNext() {
        group.addTask {
          for await node in started { return (node, nil) }
          return nil
        }
      }
      defer { group.cancelAll() }
      watchNext()
      for await word in group {
        guard let (node, status) = word, !Task.isCancelled else { return nil }
        guard let status else {
          group.addTask { await node.process.waitUntilExitOrCancellation().map { (node, $0) } }
          watchNext()
          continue
        }
        guard !expectedEnds.contains(node.process.processID) else { continue }
        let lastLine = FleetError.lastLine(of: folder.logPath(of: node.name))
        // Who is ended from outside has no time to say so: its last line is about something else.
        let why = status.isFromOutside ? "somebody else ended it, and before that its log says: \(lastLine)" : lastLine
        return "\(node.name) ended unexpectedly (\(status)): \(why)"
      }
      return nil
    }
  }

  // MARK: Asking

  package nonisolated func control() throws -> FleetConnection {
    guard let connection = connection.withLock({ $0 }) else { throw FleetError("the fleet has no server yet") }
    return connection
  }

  /// Ends every process, in order and within bounds, and removes the run folder unless it is to be kept.
  package func stop(keepingFolder: Bool = false) async {
    let running = clients.values.map { $0 } + [server].compactMap { $0 }
    expectedEnds.formUnion(running.map(\.processID))
    await withTaskGroup(of: Void.self) { group in
      for client in clients.values { group.addTask { _ = await client.terminate(grace: ProcessFleet.grace) } }
    }
    await apps?.stop(grace: ProcessFleet.grace)
    appsAreThere.continuation.finish()
    _ = await server?.terminate(grace: ProcessFleet.grace)
    await connection.withLock { $0.take() }?.close()
    clients = [:]
    server = nil
    lifeline.cut()
    if keepingFolder { folder.keep() } else { try? folder.remove() }
  }
}

extension FleetError {
  /// The end of a log, for a sentence; the whole is in the file that it names.
  static func lastLine(of log: String) -> String {
    let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    let last = text.split(separator: "\n").last.map(String.init) ?? "its log is empty"
    return "\(last) (\(log))"
  }
}
