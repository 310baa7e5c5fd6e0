import ClientNode
import Synchronization

/// The promotions that apps have set, by device.
enum PromotionBook {
  private struct Entry {
    /// A later launch begins anew.
    weak var daemon: (any StoreDaemon)?
    var promotions: [Product.PromotionInfo]
  }

  private static let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  static func order(of daemon: any StoreDaemon) -> [Product.PromotionInfo] {
    entries.withLock { entries in
      let entry = entries[ObjectIdentifier(daemon)]
      return entry?.daemon === daemon ? entry?.promotions ?? [] : []
    }
  }

  static func change(for daemon: any StoreDaemon, _ change: (inout [Product.PromotionInfo]) -> Void) {
    entries.withLock { entries in
      entries = entries.filter { $0.value.daemon != nil }
      var promotions = entries[ObjectIdentifier(daemon)]?.promotions ?? []
      change(&promotions)
      entries[ObjectIdentifier(daemon)] = Entry(daemon: daemon, promotions: promotions)
    }
  }
}
