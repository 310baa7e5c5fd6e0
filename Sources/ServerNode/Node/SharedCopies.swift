import Foundation
import Shared

/// Signed copies that are bound to no device: one signature serves every device (habit `deviceBoundJWS` off).
///
/// Whoever asks while one is being signed waits for it. Bounded: beyond `most`, the oldest is signed anew when it is asked for again.
struct SharedCopies: Sendable {
  /// What was signed, whenever it was.
  struct Key: Hashable, Sendable {
    private let world: String
    private let epoch: UInt64
    private let job: SigningJob

    /// Nil for a copy that is bound to a device, or that a test has spoiled.
    init?(_ job: SigningJob, world: String, epoch: UInt64) {
      guard job.device == nil, !job.underForeignRoot else { return nil }
      self.world = world
      self.epoch = epoch
      var job = job
      job.signedDate = StoreTime(milliseconds: 0)
      // A mark of the store, which is not signed.
      if case .transaction(var record) = job.subject {
        record.isFinished = false
        job.subject = .transaction(record)
      }
      self.job = job
    }
  }

  /// About four megabytes.
  static let most = 1_024
  private var copies: [Key: Data] = [:]
  /// The keys in a ring, so that the oldest goes first.
  private var ring: [Key] = []
  private var oldest = 0

  /// What is being signed.
  private var open: Set<Key> = []

  subscript(key: Key) -> Data? { copies[key] }

  /// - Returns: whether nobody signs it yet.
  mutating func begin(_ key: Key) -> Bool { open.insert(key).inserted }

  mutating func giveUp(_ key: Key) { open.remove(key) }

  mutating func keep(_ copy: Data, for key: Key) {
    open.remove(key)
    guard copies.updateValue(copy, forKey: key) == nil else { return }
    guard ring.count >= SharedCopies.most else { return ring.append(key) }
    copies[ring[oldest]] = nil
    ring[oldest] = key
    oldest = (oldest + 1) % SharedCopies.most
  }
}
