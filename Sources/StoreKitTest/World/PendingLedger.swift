import Wire

/// Numbers for purchases that wait, which the store names by text, and those that were declined, which the store forgets.
struct PendingLedger: Sendable {
  /// Far below those of transactions.
  private var lastNumber: UInt = 0
  private var numbers: [String: UInt] = [:]
  /// By account, the oldest first.
  private(set) var declined: [String: [ListPendingPurchases.Entry]] = [:]

  mutating func number(of id: String) -> UInt {
    if let number = numbers[id] { return number }
    lastNumber += 1
    numbers[id] = lastNumber
    return lastNumber
  }

  mutating func decline(_ entry: ListPendingPurchases.Entry, of account: String) {
    declined[account, default: []].append(entry)
  }
}
