import Wire

/// What a client node is started with.
package struct ClientNodeConfiguration: Sendable {
  package struct Device: Hashable, Sendable {
    package var name: String
    package var account: String

    package init(name: String, account: String) {
      self.name = name
      self.account = account
    }
  }

  package var world: String
  /// The node's own name, for logs and tables.
  package var node: String
  package var devices: [Device]
  /// The server's request endpoint, for example `tcp://127.0.0.1:5555`.
  package var requestsEndpoint: String
  /// The fleet's token; empty when the server asks for none.
  package var token: String
  /// Where the local store is kept; nil keeps it in memory, so that it does not survive the process.
  package var storeFolder: String?
  /// Whether the apps are launched as soon as the world is known, without being asked to.
  package var launchesApps: Bool
  /// Whether the server has no other client node to think of: then nothing is gathered or spread in time.
  package var isAlone: Bool
  /// Set for a process that has one app to itself: it ends when its app is killed, and is started again by its launcher.
  package var ownProcess: OwnProcess?
  /// What `Date()` follows; nil where it is the machine's.
  package var appClock: (any AppClock)?
  /// Why no device here can have a clock that is wrong; nil where one can.
  package var skewRefusal: String? = "only an app in a process of its own has one (storefleet up --app PATH)"

  package var endsWithApp: Bool { ownProcess != nil }

  package init(
    world: String, node: String, devices: [Device], requestsEndpoint: String, token: String = "",
    storeFolder: String? = nil, launchesApps: Bool = false, isAlone: Bool = false
  ) {
    self.world = world
    self.node = node
    self.devices = devices
    self.requestsEndpoint = requestsEndpoint
    self.token = token
    self.storeFolder = storeFolder
    self.launchesApps = launchesApps
    self.isAlone = isAlone
  }

  /// Names that cannot be addresses, and devices that are named twice, are refused before anything is started.
  package func check() throws(ClientNodeError) {
    for name in [world, node] + devices.flatMap({ [$0.name, $0.account] }) where !ActorAddress.isName(name) {
      throw ClientNodeError(
        .configuration,
        "'\(name.prefix(200))' cannot name anything: use 1 to 128 of A-Z a-z 0-9 . _ - + @")
    }
    guard !devices.isEmpty else {
      throw ClientNodeError(.configuration, "client node \(node) has no devices: name at least one")
    }
    var seen: Set<String> = []
    for device in devices where !seen.insert(device.name).inserted {
      throw ClientNodeError(.configuration, "\(device.name) is named twice in client node \(node): name it once")
    }
  }
}
