import FleetTesting
import Foundation
import Glibc

/// A mount of one test's own, undone with it. Only root may mount.
final class Mount {
  static let isAllowed: Bool = {
    guard let place = try? FleetWorkplace() else { return false }
    let mount = Mount()
    return withExtendedLifetime(place) {
      defer { mount.undo() }
      return (try? mount.tmpfs(bytes: 1 << 20, at: place.path("probe"))) != nil
    }
  }()

  private var path: String?
  private var filler: String { (path ?? "") + "/filler" }

  deinit { undo() }

  func undo() {
    guard let path else { return }
    umount2(path, Int32(MNT_DETACH))
    self.path = nil
  }

  /// Mounts a disk of this size in memory, on a folder that it makes.
  func tmpfs(bytes: Int, at path: String) throws {
    try mount("tmpfs", at: path, type: "tmpfs", flags: 0, options: "size=\(bytes),mode=700")
  }

  /// Makes a folder that nothing can be written to, not even by root.
  func readOnly(at path: String) throws {
    let bind = UInt(MS_BIND)
    try mount(path, at: path, type: nil, flags: bind, options: nil)
    try mount(path, at: path, type: nil, flags: bind | UInt(MS_REMOUNT) | UInt(MS_RDONLY), options: nil)
  }

  /// Takes all space that there is.
  func fill() throws {
    let file = open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure }
    defer { close(file) }
    for size in [65_536, 4_096, 512, 1] {
      let bytes = [UInt8](repeating: 0x20, count: size)
      while write(file, bytes, size) == size {}
    }
    guard errno == ENOSPC else { throw failure }
  }

  func free() throws {
    guard unlink(filler) == 0 else { throw failure }
  }

  private func mount(_ source: String, at path: String, type: String?, flags: UInt, options: String?) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard Glibc.mount(source, path, type, flags, options) == 0 else { throw failure }
    self.path = path
  }

  private var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM) }
}
