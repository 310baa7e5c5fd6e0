import Foundation
import Glibc

/// The folder below which a user's fleets have theirs, in `fleets/`, where nobody else can look.
package struct RunHome: Hashable, Sendable {
  /// Moves the folder elsewhere.
  package static let variable = "STOREFLEET_HOME"

  package let path: String

  package init(path: String) { self.path = path }

  /// `$STOREFLEET_HOME`, else `$XDG_RUNTIME_DIR/storefleet`, else `/tmp/storefleet-UID`.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    if let home = environment[RunHome.variable], !home.isEmpty {
      path = home
    } else if let runtime = environment["XDG_RUNTIME_DIR"], !runtime.isEmpty {
      path = runtime + "/storefleet"
    } else {
      path = "/tmp/storefleet-\(getuid())"
    }
  }

  var fleetsPath: String { path + "/fleets" }

  /// Creates the folder, or makes sure that the one that is there is the user's own: in `/tmp` anyone could have made
  /// it first, to read tokens or to have files written elsewhere.
  func prepare() throws(RunFolderError) {
    do {
      let parent = (path as NSString).deletingLastPathComponent
      if !parent.isEmpty {
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
      }
    } catch {
      throw RunFolderError(.failed, "cannot create the folder for '\(path)': \(error.localizedDescription)")
    }
    for folder in [path, fleetsPath] {
      if mkdir(folder, 0o700) != 0, errno != EEXIST {
        throw .system("create the folder '\(folder)'", errno: errno)
      }
    }
    // The home may be a folder that was there before and that others may look at, so only writing is refused there.
    try requireOwn(path, withoutOthers: S_IWGRP | S_IWOTH)
    try requireOwn(fleetsPath, withoutOthers: S_IRWXG | S_IRWXO)
  }

  /// Runs `body` while no other process creates or removes fleets below this folder.
  func locked<Result>(_ body: () throws(RunFolderError) -> Result) throws(RunFolderError) -> Result {
    try prepare()
    let lock = open(path + "/.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw .system("lock the folder '\(path)'", errno: errno) }
    // Closing it lets the next one in.
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 {
      if errno != EINTR { throw .system("lock the folder '\(path)'", errno: errno) }
    }
    return try body()
  }

  /// Never mends what it finds: the variable may name a folder whose mode matters to someone else.
  private func requireOwn(_ folder: String, withoutOthers forbidden: mode_t) throws(RunFolderError) {
    var status = stat()
    guard lstat(folder, &status) == 0 else { throw .system("use the folder '\(folder)'", errno: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid() else {
      throw RunFolderError(
        .unsafe, "'\(folder)' is not a folder of yours: remove it, or name another one in \(RunHome.variable)")
    }
    guard status.st_mode & forbidden == 0 else {
      throw RunFolderError(
        .unsafe,
        "others have access to '\(folder)': run 'chmod 700' on it, or name another folder in \(RunHome.variable)")
    }
  }
}
