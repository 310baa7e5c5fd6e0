import Fleet
import Foundation

/// A folder of one test's own, with a home for its fleets: neither parallel tests nor the user's own fleets meet there.
/// Removed when the test lets go of it.
final class Workplace: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "storefleet-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var home: RunHome { RunHome(path: path + "/home") }

  func path(_ name: String) -> String { path + "/" + name }

  /// Writes a file and returns its path.
  func write(_ text: String, to name: String) throws -> String {
    try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    return path(name)
  }
}

/// Files that the tests share with people who try the project.
enum Repository {
  static func path(_ name: String) -> String {
    URL(filePath: #filePath).appending(path: "../../../../\(name)").standardizedFileURL.path
  }
}
