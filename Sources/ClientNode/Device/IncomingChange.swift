import Shared
import Wire

/// What the store told a device and the device has not applied yet, because signed copies are still to come.
struct IncomingChange: Sendable {
  enum Content: Sendable {
    case update(AccountUpdate)
    /// The storefront is nil where the store did not say it.
    case snapshot(TransactionHistory, storefront: String?)
  }

  /// Where the device is once it is applied.
  var position: StreamPosition
  var content: Content
  /// The copies that are still missing, with the least revision that will do.
  var missing: [WantedCopy.Subject: UInt64]
  /// The copies that came.
  var copies: [WantedCopy.Subject: SignedCopy] = [:]
  /// Whether it was published and not asked for: then it happened while the device was there.
  var isLive = false
  /// The `sync()` that asked for it.
  var call: CallID?

  /// - Returns: whether the copy was wanted.
  @discardableResult
  mutating func accept(_ copy: SignedCopy, for subject: WantedCopy.Subject) -> Bool {
    guard let least = missing[subject], copy.revision >= least else { return false }
    missing[subject] = nil
    copies[subject] = copy
    return true
  }
}
