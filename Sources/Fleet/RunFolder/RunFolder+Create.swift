import Foundation
import Glibc

extension RunFolder {
  /// Makes the folder of a new fleet, with this process as its launcher and a new token.
  ///
  /// - Throws: `taken` when a fleet of that name is running.
  package static func create(name: String, in home: RunHome = RunHome()) throws(RunFolderError) -> RunFolder {
    try check(name, of: "fleet")
    guard let launcher = ProcessIdentity.current else {
      throw RunFolderError(.failed, "cannot read '/proc/self/stat': a fleet needs a mounted /proc")
    }
    return try home.locked { () throws(RunFolderError) in
      removeLeftovers(in: home)
      let folder = RunFolder(path: "\(home.fleetsPath)/\(name)")
      if access(folder.path, F_OK) == 0 {
        let description = try folder.readDescription()
        guard !description.launcher.isRunning else {
          throw RunFolderError(
            .taken,
            "a fleet named '\(name)' is running (process \(description.launcher.processID)): "
              + "end it first or choose another name")
        }
        try folder.remove()
      }
      // Made aside and renamed, so that a folder without its fleet.json is never seen.
      let draft = RunFolder(path: "\(home.fleetsPath)/.new-\(UUID().uuidString)")
      for path in [draft.path, draft.path + "/logs", draft.dataPath] {
        guard mkdir(path, 0o700) == 0 else { throw .system("create the folder '\(path)'", errno: errno) }
      }
      try draft.writeDescription(FleetDescription(name: name, launcher: launcher, token: makeToken()))
      guard rename(draft.path, folder.path) == 0 else {
        throw .system("create the folder '\(folder.path)'", errno: errno)
      }
      return folder
    }
  }

  /// 32 random bytes from the system's generator, in hexadecimal.
  private static func makeToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let word = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - word.count) + word
    }.joined()
  }

  /// What a process left that ended while it created or removed a fleet. The caller has the lock, so nobody is at it.
  private static func removeLeftovers(in home: RunHome) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: home.fleetsPath)) ?? []
    for name in names where name.hasPrefix(".new-") || name.hasPrefix(".old-") {
      try? FileManager.default.removeItem(atPath: "\(home.fleetsPath)/\(name)")
    }
  }
}
