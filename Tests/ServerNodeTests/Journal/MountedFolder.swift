import Foundation

/// A mount of one test's own, undone with it. Only root may mount.
final class MountedFolder {
  let path: String
  private let folder = JournalTestFolder()

  /// Whether this process may mount at all.
  static let isAvailable: Bool = (try? MountedFolder.tmpfs(bytes: 1 << 20)) != nil

  static func tmpfs(bytes: Int) throws -> MountedFolder {
    let mounted = MountedFolder()
    try mounted.mount("tmpfs", type: "tmpfs", flags: 0, options: "size=\(bytes)")
    return mounted
  }

  /// Shows `source` read-only.
  static func readOnly(_ source: String) throws -> MountedFolder {
    let mounted = MountedFolder()
    let bind = UInt(MS_BIND)
    try mounted.mount(source, type: nil, flags: bind, options: nil)
    try mounted.mount(source, type: nil, flags: bind | UInt(MS_REMOUNT) | UInt(MS_RDONLY), options: nil)
    return mounted
  }

  private init() { path = folder.path }

  deinit { umount2(path, Int32(MNT_DETACH)) }

  private func mount(_ source: String, type: String?, flags: UInt, options: String?) throws {
    guard Foundation.mount(source, path, type, flags, options) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
    }
  }
}
