import CSQLite
import Foundation

/// A SQLite VFS over the system's that knows what a power loss would take: everything that was written and not synced.
/// It can also be slow, full, or fail to sync.
///
/// Sendable is unchecked because `lock` guards all mutable state.
final class LossyFileSystem: @unchecked Sendable {
  /// To be given to `SQLiteDatabase`.
  let name = "lossy-\(UUID().uuidString)"

  private let lock = NSLock()
  private var files: [String: FileImage] = [:]
  private var syncHook: @Sendable (_ path: String) -> Void = { _ in }
  private var full = false
  private var failsToSync = false
  private let vfs: UnsafeMutablePointer<sqlite3_vfs>
  private let cName: UnsafeMutablePointer<CChar>
  private let system: UnsafeMutablePointer<sqlite3_vfs>

  init() {
    system = sqlite3_vfs_find(nil)
    cName = strdup(name)
    vfs = .allocate(capacity: 1)
    vfs.initialize(to: system.pointee)
    vfs.pointee.pNext = nil
    vfs.pointee.zName = UnsafePointer(cName)
    vfs.pointee.szOsFile = Int32(LossyFile.headerSize) + system.pointee.szOsFile
    vfs.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
    vfs.pointee.xOpen = { vfs, path, file, flags, outFlags in
      guard let vfs, let file else { return SQLITE_MISUSE }
      return LossyFileSystem.of(vfs).open(path, file, flags, outFlags)
    }
    vfs.pointee.xDelete = { vfs, path, syncsFolder in
      guard let vfs, let path else { return SQLITE_MISUSE }
      return LossyFileSystem.of(vfs).delete(path, syncsFolder)
    }
    sqlite3_vfs_register(vfs, 0)
  }

  deinit {
    sqlite3_vfs_unregister(vfs)
    vfs.deallocate()
    free(cName)
  }

  /// Called on the thread that syncs, before anything becomes durable; may block: a slow disk.
  var onSync: @Sendable (_ path: String) -> Void {
    get { lock.withLock { syncHook } }
    set { lock.withLock { syncHook = newValue } }
  }

  /// Whether every write fails for want of space.
  var isFull: Bool {
    get { lock.withLock { full } }
    set { lock.withLock { full = newValue } }
  }

  /// Whether every sync fails.
  var failsSyncs: Bool {
    get { lock.withLock { failsToSync } }
    set { lock.withLock { failsToSync = newValue } }
  }

  /// Writes that a power loss could still take.
  var unsyncedWrites: Int {
    lock.withLock { files.values.reduce(0) { count, file in count + file.unsyncedWrites } }
  }

  /// The power fails now; the journal may go on, since what it does later does not count.
  func losePower() -> PowerLoss { PowerLoss(files: lock.withLock { files }) }

  fileprivate static func of(_ vfs: UnsafeMutablePointer<sqlite3_vfs>) -> LossyFileSystem {
    Unmanaged<LossyFileSystem>.fromOpaque(vfs.pointee.pAppData).takeUnretainedValue()
  }

  private func open(
    _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    file.pointee.pMethods = nil
    let name = path.map { path in String(cString: path) }
    let code = system.pointee.xOpen(system, path, LossyFile.system(of: file), flags, outFlags)
    guard code == SQLITE_OK else { return code }
    if let name {
      lock.withLock {
        if files[name] == nil {
          // What another file system object or an earlier run left is taken as durable.
          files[name] = FileImage(durable: [UInt8](FileManager.default.contents(atPath: name) ?? Data()))
        }
      }
    }
    LossyFile(fileSystem: self, path: name).attach(to: file)
    return SQLITE_OK
  }

  private func delete(_ path: UnsafePointer<CChar>, _ syncsFolder: Int32) -> Int32 {
    lock.withLock { files[String(cString: path)] = nil }
    return system.pointee.xDelete(system, path, syncsFolder)
  }

  func didWrite(_ path: String, _ bytes: [UInt8], at offset: Int) {
    lock.withLock { files[path]?.write(bytes, at: offset) }
  }

  func didTruncate(_ path: String, to size: Int) { lock.withLock { files[path]?.truncate(to: size) } }

  /// Whether the file is durable now.
  func sync(_ path: String) -> Bool {
    onSync(path)
    return lock.withLock {
      if failsToSync { return false }
      files[path]?.sync()
      return true
    }
  }
}
