package import Fleet
import Foundation

/// A folder of one test's own, with a home for its fleets: neither parallel tests nor the user's own fleets meet there.
/// Removed when the test lets go of it, unless `STOREFLEET_KEEP=1` says that its logs are wanted.
package final class FleetWorkplace: Sendable {
  package let path: String
  let isKept = ProcessInfo.processInfo.environment["STOREFLEET_KEEP"] == "1"

  package init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "storefleet-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    path = url.path
  }

  deinit {
    if !isKept { try? FileManager.default.removeItem(atPath: path) }
  }

  package var home: RunHome { RunHome(path: path + "/home") }

  package func path(_ name: String) -> String { path + "/" + name }

  /// Writes a file and returns its path.
  package func write(_ text: String, to name: String) throws -> String {
    try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    return path(name)
  }
}
