import Foundation
import Glibc

extension RunFolder {
  /// The folders of all running fleets, by name. Those whose launcher is dead are removed, unless they are kept.
  package static func list(in home: RunHome = RunHome()) throws(RunFolderError) -> [RunFolder] {
    // Nothing was ever started: then there is nothing to make either.
    guard access(home.fleetsPath, F_OK) == 0 else { return [] }
    return try home.locked { () throws(RunFolderError) in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: home.fleetsPath)) ?? []
      var running: [RunFolder] = []
      for name in names.sorted() where !name.hasPrefix(".") {
        let folder = RunFolder(path: "\(home.fleetsPath)/\(name)")
        // What does not describe a fleet is left alone: it may be anything.
        guard let description = try? folder.readDescription() else { continue }
        if description.launcher.isRunning {
          running.append(folder)
        } else if !folder.isKept {
          try folder.remove()
        }
      }
      return running
    }
  }

  /// Removes the folders of all fleets whose launcher is dead, those that were kept too.
  ///
  /// - Returns: how many there were.
  package static func removeEnded(in home: RunHome = RunHome()) throws(RunFolderError) -> Int {
    guard access(home.fleetsPath, F_OK) == 0 else { return 0 }
    return try home.locked { () throws(RunFolderError) in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: home.fleetsPath)) ?? []
      var removed = 0
      for name in names.sorted() where !name.hasPrefix(".") {
        let folder = RunFolder(path: "\(home.fleetsPath)/\(name)")
        guard let description = try? folder.readDescription(), !description.launcher.isRunning else { continue }
        try folder.remove()
        removed += 1
      }
      return removed
    }
  }

  /// The fleet that a command means: the one named, else the one in `STOREFLEET_FLEET`, else the only one running.
  ///
  /// - Parameter fleet: A name, or the path of a folder, which contains a slash.
  package static func find(
    fleet: String? = nil, in home: RunHome = RunHome(),
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(RunFolderError) -> RunFolder {
    if let fleet { return try find(named: fleet, origin: "", in: home) }
    if let fleet = environment[variable], !fleet.isEmpty {
      return try find(named: fleet, origin: " (from \(variable))", in: home)
    }
    let running = try list(in: home)
    if running.count > 1 {
      throw RunFolderError(
        .ambiguous,
        "\(running.count) fleets are running (\(running.map(\.name).joined(separator: ", "))): "
          + "say which one with '--fleet NAME' or in \(variable)")
    }
    guard let folder = running.first else {
      throw RunFolderError(.notFound, "no fleet is running: start one with 'storefleet up'")
    }
    return folder
  }

  private static func find(
    named fleet: String, origin: String, in home: RunHome
  ) throws(RunFolderError) -> RunFolder {
    if fleet.contains("/") {
      let folder = RunFolder(path: (fleet as NSString).standardizingPath)
      guard try folder.readDescription().launcher.isRunning else {
        throw RunFolderError(
          .notFound, "the fleet in '\(fleet)'\(origin) is not running any more: start one with 'storefleet up'")
      }
      return folder
    }
    try check(fleet, of: "fleet")
    let running = try list(in: home)
    if let folder = running.first(where: { $0.name == fleet }) { return folder }
    let names = running.map(\.name).joined(separator: ", ")
    throw RunFolderError(
      .notFound,
      "no fleet named '\(fleet)'\(origin) is running: "
        + (running.isEmpty ? "start one with 'storefleet up'" : "running are \(names)"))
  }
}
