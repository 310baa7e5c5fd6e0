package import Shared
package import Wire

/// Compares what was bought with what each device's listener got, one by one.
///
/// Every acknowledged purchase is owed once to every other device of its account. The transaction ids of an account
/// grow in the order of its journal, so a device that gets a lower id after a higher one was told out of order.
package struct LoadAudit: Hashable, Sendable {
  /// Acknowledged purchases that made a transaction of their own.
  package private(set) var bought = 0
  /// Acknowledged purchases that handed back a transaction that there was.
  package private(set) var existing = 0
  /// Deliveries that are owed, and those that came, each counted once.
  package private(set) var owed = 0
  package private(set) var delivered = 0
  /// Owed and never came.
  package var lost: Int { owed - delivered }
  /// Came again, or to the device that had bought it.
  package private(set) var duplicates = 0
  /// Came after a later one.
  package private(set) var late = 0
  /// Came, though no purchase of it was acknowledged: its reply was lost, or it was made by something else.
  package private(set) var unacknowledged = 0
  /// From the intended moment of the purchase until another device's listener had the element.
  package private(set) var propagation = Histogram()

  private struct Purchase {
    var intendedAt: Int64
    var buyers: Set<String>
  }

  package init(_ records: [LoadRecord], accountOfDevice: [String: String]) {
    let listeners = Dictionary(grouping: accountOfDevice.keys) { accountOfDevice[$0] ?? "" }.mapValues(\.count)
    var purchases: [UInt64: Purchase] = [:]
    var accounts: [UInt64: String] = [:]
    for record in records {
      for purchase in record.purchases.elements {
        guard let device = record.name(of: purchase.device), let account = accountOfDevice[device] else { continue }
        if purchases[purchase.transaction] == nil { bought += 1 } else { existing += 1 }
        accounts[purchase.transaction] = account
        purchases[purchase.transaction, default: Purchase(intendedAt: purchase.intendedAt, buyers: [])]
          .buyers.insert(device)
      }
    }
    for (transaction, purchase) in purchases {
      owed += max(0, (accounts[transaction].flatMap { listeners[$0] } ?? 0) - purchase.buyers.count)
    }
    for record in records { follow(record, purchases) }
  }

  private mutating func follow(_ record: LoadRecord, _ purchases: [UInt64: Purchase]) {
    var seen = [Set<UInt64>](repeating: [], count: record.devices.count)
    var highest = [UInt64](repeating: 0, count: record.devices.count)
    for delivery in record.deliveries.elements {
      guard let device = record.name(of: delivery.device) else { continue }
      let index = Int(delivery.device)
      guard seen[index].insert(delivery.transaction).inserted else {
        duplicates += 1
        continue
      }
      if delivery.transaction < highest[index] { late += 1 }
      highest[index] = max(highest[index], delivery.transaction)
      guard let purchase = purchases[delivery.transaction] else {
        unacknowledged += 1
        continue
      }
      if purchase.buyers.contains(device) {
        // Of a transaction that several bought, all but the first were told of the others' purchase before.
        if purchase.buyers.count == 1 { duplicates += 1 }
      } else {
        delivered += 1
        propagation.record(delivery.at &- purchase.intendedAt)
      }
    }
  }
}

extension LoadRecord {
  /// Nil for an index that the record does not explain.
  fileprivate func name(of device: UInt32) -> String? {
    devices.indices.contains(Int(device)) ? devices[Int(device)] : nil
  }
}
