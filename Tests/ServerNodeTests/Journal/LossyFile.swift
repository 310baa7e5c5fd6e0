import CSQLite

/// An open file of a `LossyFileSystem`. SQLite's memory for it holds, one after the other: SQLite's own struct, a
/// pointer to this object, and the file of the system's VFS.
final class LossyFile {
  static let headerSize = 2 * MemoryLayout<UnsafeRawPointer>.stride

  private let fileSystem: LossyFileSystem
  /// Nil for a temporary file, which no power loss needs to spare.
  private let path: String?

  init(fileSystem: LossyFileSystem, path: String?) {
    self.fileSystem = fileSystem
    self.path = path
  }

  func attach(to file: UnsafeMutablePointer<sqlite3_file>) {
    file.pointee.pMethods = UnsafePointer(LossyFile.methods)
    LossyFile.slot(of: file).pointee = Unmanaged.passRetained(self).toOpaque()
  }

  static func system(of file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<sqlite3_file> {
    (UnsafeMutableRawPointer(file) + headerSize).assumingMemoryBound(to: sqlite3_file.self)
  }

  private static func slot(
    of file: UnsafeMutablePointer<sqlite3_file>
  ) -> UnsafeMutablePointer<UnsafeMutableRawPointer> {
    (UnsafeMutableRawPointer(file) + MemoryLayout<UnsafeRawPointer>.stride)
      .assumingMemoryBound(to: UnsafeMutableRawPointer.self)
  }

  private static func of(_ file: UnsafeMutablePointer<sqlite3_file>) -> LossyFile {
    Unmanaged<LossyFile>.fromOpaque(slot(of: file).pointee).takeUnretainedValue()
  }

  private func write(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: Int64
  ) -> Int32 {
    if fileSystem.isFull { return SQLITE_FULL }
    let real = LossyFile.system(of: file)
    let code = real.pointee.pMethods.pointee.xWrite(real, bytes, count, offset)
    if code == SQLITE_OK, let path {
      fileSystem.didWrite(path, [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count))), at: Int(offset))
    }
    return code
  }

  private func truncate(_ file: UnsafeMutablePointer<sqlite3_file>, _ size: Int64) -> Int32 {
    let real = LossyFile.system(of: file)
    let code = real.pointee.pMethods.pointee.xTruncate(real, size)
    if code == SQLITE_OK, let path { fileSystem.didTruncate(path, to: Int(size)) }
    return code
  }

  private func sync() -> Int32 {
    guard let path else { return SQLITE_OK }
    // The system's file is not synced: durable is what the image says, and the tests need not wait for a real disk.
    return fileSystem.sync(path) ? SQLITE_OK : SQLITE_IOERR | (4 << 8)
  }

  /// Made once and never changed or freed, which is what makes the unsafe global safe.
  nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: sqlite3_io_methods())
    methods.pointee.iVersion = 2
    methods.pointee.xClose = { file in
      guard let file else { return SQLITE_MISUSE }
      Unmanaged<LossyFile>.fromOpaque(LossyFile.slot(of: file).pointee).release()
      let real = LossyFile.system(of: file)
      return real.pointee.pMethods.pointee.xClose(real)
    }
    methods.pointee.xWrite = { file, bytes, count, offset in
      guard let file else { return SQLITE_MISUSE }
      return LossyFile.of(file).write(file, bytes, count, offset)
    }
    methods.pointee.xTruncate = { file, size in
      guard let file else { return SQLITE_MISUSE }
      return LossyFile.of(file).truncate(file, size)
    }
    methods.pointee.xSync = { file, _ in
      guard let file else { return SQLITE_MISUSE }
      return LossyFile.of(file).sync()
    }
    forwardTheRest(of: methods)
    return methods
  }()

  private static func forwardTheRest(of methods: UnsafeMutablePointer<sqlite3_io_methods>) {
    methods.pointee.xRead = { file, bytes, count, offset in
      guard let file else { return SQLITE_MISUSE }
      let real = LossyFile.system(of: file)
      return real.pointee.pMethods.pointee.xRead(real, bytes, count, offset)
    }
    methods.pointee.xFileSize = { file, size in
      guard let file else { return SQLITE_MISUSE }
      let real = LossyFile.system(of: file)
      return real.pointee.pMethods.pointee.xFileSize(real, size)
    }
    methods.pointee.xLock = { file, level in
      guard let file else { return SQLITE_MISUSE }
      let real = LossyFile.system(of: file)
      return real.pointee.pMethods.pointee.xLock(real, level)
    }
    methods.pointee.xUnlock = { file, level in
      guard let file else { return SQLITE_MISUSE }
      let real = LossyFile.system(of: file)
      return real.pointee.pMethods.pointee.xUnlock(real, level)
    }
    methods.pointee.xCheckReservedLock = { file, result in
      guard let file else { return SQLITE_MISUSE }
      let real = LossyFile.system(of: file)
      return real.pointee.pMethods.pointee.xCheckReservedLock(real, result)
    }
    methods.pointee.xFileControl = { file, operation, argument in
      guard let file else { return SQLITE_MISUSE }
      let real = LossyFile.system(of: file)
      return real.pointee.pMethods.pointee.xFileControl(real, operation, argument)
    }
    methods.pointee.xSectorSize = { file in
      guard let file else { return 0 }
      let real = LossyFile.system(of: file)
      return real.pointee.pMethods.pointee.xSectorSize(real)
    }
    methods.pointee.xDeviceCharacteristics = { file in
      guard let file else { return 0 }
      let real = LossyFile.system(of: file)
      return real.pointee.pMethods.pointee.xDeviceCharacteristics(real)
    }
    methods.pointee.xShmMap = { file, page, size, extends, address in
      guard let file else { return SQLITE_MISUSE }
      let real = LossyFile.system(of: file)
      return real.pointee.pMethods.pointee.xShmMap(real, page, size, extends, address)
    }
    methods.pointee.xShmLock = { file, offset, count, flags in
      guard let file else { return SQLITE_MISUSE }
      let real = LossyFile.system(of: file)
      return real.pointee.pMethods.pointee.xShmLock(real, offset, count, flags)
    }
    methods.pointee.xShmBarrier = { file in
      guard let file else { return }
      let real = LossyFile.system(of: file)
      real.pointee.pMethods.pointee.xShmBarrier(real)
    }
    methods.pointee.xShmUnmap = { file, deletes in
      guard let file else { return SQLITE_MISUSE }
      let real = LossyFile.system(of: file)
      return real.pointee.pMethods.pointee.xShmUnmap(real, deletes)
    }
  }
}
