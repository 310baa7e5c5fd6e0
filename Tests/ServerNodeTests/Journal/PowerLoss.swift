import Foundation

/// The files of a `LossyFileSystem` at the moment when the power failed.
struct PowerLoss {
  let files: [String: FileImage]

  /// Writes what is left of the journal to `folder`: without a seed nothing that was not synced; with one, every
  /// unsynced sector by the flip of a coin, in which case later writes may survive earlier ones.
  func writeRemains(to folder: String, seed: UInt64? = nil) throws {
    var random = seed.map { seed in SeededGenerator(seed: seed) }
    for (path, image) in files.sorted(by: { left, right in left.key < right.key }) {
      let name = (path as NSString).lastPathComponent
      guard name == "journal.sqlite" || name == "journal.sqlite-wal" else { continue }
      let bytes = image.afterPowerLoss { random?.nextBool() ?? false }
      try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
  }
}
