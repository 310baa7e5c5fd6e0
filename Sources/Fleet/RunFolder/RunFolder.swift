package import Foundation
import Glibc
import Launch
import Wire

/// One fleet's folder: `fleet.json`, a log for each process in `logs/`, and `data/`.
///
/// It lives as long as the fleet's launcher. A folder whose launcher is dead is removed by the next `create` or `list`,
/// unless it is to be kept: then only a new fleet of the same name takes its place.
package struct RunFolder: Hashable, Sendable {
  /// Names the fleet that commands act on when none is given.
  package static let variable = "STOREFLEET_FLEET"

  package let path: String

  /// Makes nothing: the folder may be there or not.
  package init(path: String) { self.path = path }

  package var name: String { (path as NSString).lastPathComponent }
  package var descriptionPath: String { path + "/fleet.json" }
  package var dataPath: String { path + "/data" }

  /// The log of a process of the fleet.
  package func logPath(of process: String) -> String { "\(path)/logs/\(process).log" }

  /// Writes a file beside `fleet.json`, a key for example, that only its owner can read.
  ///
  /// - Returns: The file's path.
  @discardableResult
  package func writePrivateFile(_ data: Data, named name: String) throws(RunFolderError) -> String {
    try RunFolder.check(name, of: "file")
    let file = "\(path)/\(name)"
    try RunFolder.write(data, to: file)
    return file
  }

  private static func write(_ data: Data, to file: String) throws(RunFolderError) {
    do throws(ChildProcessError) { try PrivateFile.write(data, to: file) } catch {
      throw RunFolderError(.failed, error.message)
    }
  }

  package func readDescription() throws(RunFolderError) -> FleetDescription {
    guard let data = FileManager.default.contents(atPath: descriptionPath) else {
      throw RunFolderError(.notFound, "'\(path)' is no fleet's folder: it has no readable fleet.json")
    }
    do {
      return try JSONDecoder().decode(FleetDescription.self, from: data)
    } catch {
      throw RunFolderError(
        .damaged, "'\(descriptionPath)' does not describe a fleet: remove the folder and start the fleet again")
    }
  }

  /// Replaces `fleet.json`; readers see the old one or the new one.
  package func writeDescription(_ description: FleetDescription) throws(RunFolderError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data: Data
    do {
      data = try encoder.encode(description)
    } catch {
      throw RunFolderError(.failed, "cannot describe the fleet '\(description.name)': \(error)")
    }
    try RunFolder.write(data, to: descriptionPath)
  }

  /// Removes the folder and all that is in it; one that is gone already is no error.
  package func remove() throws(RunFolderError) {
    // Out of sight in one step, so that nobody finds half a folder.
    let grave = "\((path as NSString).deletingLastPathComponent)/.old-\(UUID().uuidString)"
    guard rename(path, grave) == 0 else {
      if errno == ENOENT { return }
      throw .system("remove the folder '\(path)'", errno: errno)
    }
    do {
      try FileManager.default.removeItem(atPath: grave)
    } catch {
      throw RunFolderError(.failed, "cannot remove the folder '\(grave)': \(error.localizedDescription)")
    }
  }

  /// Leaves the folder to people who want to read the logs.
  package func keep() { _ = FileManager.default.createFile(atPath: keptPath, contents: nil) }

  var isKept: Bool { access(keptPath, F_OK) == 0 }
  private var keptPath: String { path + "/kept" }

  /// Names go into paths and topics, so they are the names of the wire, and none starts with a dot.
  static func check(_ name: String, of what: String) throws(RunFolderError) {
    guard ActorAddress.isName(name), !name.hasPrefix(".") else {
      throw RunFolderError(
        .badName,
        "'\(name)' cannot name a \(what): expected 1 to 128 of A-Z a-z 0-9 . _ - + @, and no dot at the start")
    }
  }
}
