import Foundation

/// What a launcher hands to the process of an app: who its devices are, where their store is, where to say that it is
/// ready. A file of JSON that the environment names.
package struct AppSeats: Codable, Hashable, Sendable {
  package struct Device: Codable, Hashable, Sendable {
    package var name: String
    package var account: String

    package init(name: String, account: String) {
      self.name = name
      self.account = account
    }
  }

  /// The environment variable with the file's path.
  package static let variable = "STOREFLEET_SEATS"
  /// The environment variable with the fleet's token.
  package static let tokenVariable = "STOREFLEET_TOKEN"
  /// The environment variable that says how the process before this one ended, in words; absent at the first start.
  package static let lastEndVariable = "STOREFLEET_LAST_END"

  /// Where the server node takes requests.
  package var endpoint: String
  package var world: String
  /// The client node's name.
  package var node: String
  package var devices: [Device]
  /// The folder of the process's own, which outlives it.
  package var folder: String
  /// Whether the devices' stores are kept there.
  package var keepsStore: Bool
  package var readyFile: String
  /// What moves `Date()`; nil: it is the machine's.
  package var clockFile: String?
  /// Whether the apps are launched as soon as the world is known.
  package var launchesApps: Bool

  package init(
    endpoint: String, world: String, node: String, devices: [Device], folder: String, keepsStore: Bool,
    readyFile: String, clockFile: String?, launchesApps: Bool
  ) {
    self.endpoint = endpoint
    self.world = world
    self.node = node
    self.devices = devices
    self.folder = folder
    self.keepsStore = keepsStore
    self.readyFile = readyFile
    self.clockFile = clockFile
    self.launchesApps = launchesApps
  }

  /// What the launcher says; nil when there is no launcher.
  package static func read() throws(ChildProcessError) -> AppSeats? {
    guard let path = EnvironmentVariable.value(variable) else { return nil }
    do {
      return try JSONDecoder().decode(AppSeats.self, from: Data(contentsOf: URL(filePath: path)))
    } catch {
      throw ChildProcessError(
        .failed,
        "'\(path)', which \(variable) names, does not say which devices to run: only a launcher sets it, so unset it")
    }
  }

  package func write(to path: String) throws {
    try PrivateFile.write(JSONEncoder().encode(self), to: path)
  }
}
