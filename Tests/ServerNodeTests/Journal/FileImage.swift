/// One file as a disk with a volatile cache sees it.
struct FileImage {
  private enum Change {
    case write(offset: Int, bytes: [UInt8])
    case truncate(size: Int)
  }

  /// What a power loss cannot take.
  private var durable: [UInt8]
  /// What it may take, in order.
  private var pending: [Change] = []

  init(durable: [UInt8]) { self.durable = durable }

  var unsyncedWrites: Int { pending.count }

  mutating func write(_ bytes: [UInt8], at offset: Int) { pending.append(.write(offset: offset, bytes: bytes)) }

  mutating func truncate(to size: Int) { pending.append(.truncate(size: size)) }

  mutating func sync() {
    for change in pending {
      switch change {
      case .write(let offset, let bytes): FileImage.copy(bytes, 0..<bytes.count, to: &durable, at: offset)
      case .truncate: FileImage.apply(change, to: &durable) { true }
      }
    }
    pending = []
  }

  /// The file after a power loss: of what was not synced, the sectors that `survives` picks.
  func afterPowerLoss(survives: () -> Bool) -> [UInt8] {
    var bytes = durable
    for change in pending { FileImage.apply(change, to: &bytes, survives: survives) }
    return bytes
  }

  private static let sectorSize = 512

  private static func apply(_ change: Change, to file: inout [UInt8], survives: () -> Bool) {
    switch change {
    case .write(let offset, let bytes):
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + sectorSize)
        if survives() { copy(bytes, start..<end, to: &file, at: offset + start) }
        start = end
      }
    case .truncate(let size):
      if survives(), size < file.count { file.removeLast(file.count - size) }
    }
  }

  private static func copy(_ bytes: [UInt8], _ range: Range<Int>, to file: inout [UInt8], at offset: Int) {
    let missing = offset + range.count - file.count
    if missing > 0 { file += [UInt8](repeating: 0, count: missing) }
    file.withUnsafeMutableBytes { file in
      bytes.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(rebasing: file[offset..<offset + range.count])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
      }
    }
  }
}
