import Shared
import Wire

/// Numbers for purchases that wait, which the store names by text, and those that were declined, which the store forgets.
///
/// At Apple a purchase keeps its identifier from the request to the transaction. Here the store numbers transactions when
/// they are made, so a purchase that waits has the number that the next transaction will have. When another purchase comes
/// in between, it gets a later one, and can be answered by either.
struct PendingLedger: Sendable {
  /// Far below those of transactions.
  private var lastSmallNumber: UInt = 0
  private var numbers: [String: UInt] = [:]
  /// Every number that a purchase ever had.
  private var names: [UInt: String] = [:]
  /// What purchases that waited have become.
  private var bought: [String: TransactionID] = [:]
  /// By account, the oldest first.
  private(set) var declined: [String: [ListPendingPurchases.Entry]] = [:]

  /// The number of a purchase that is listed, or was.
  func number(of id: String) -> UInt? { numbers[id] }

  /// The purchase that has this number or had it.
  func name(of number: UInt) -> String? { names[number] }

  /// The transaction of a purchase that had this number while it waited.
  func transaction(of number: UInt) -> TransactionID? { names[number].flatMap { bought[$0] } }

  /// Numbers what waits.
  /// - Parameter next: the id of the account's next transaction.
  mutating func note(_ waiting: [ListPendingPurchases.Entry], of account: String, next: TransactionID?) {
    guard let next, let first = UInt(exactly: next.rawValue) else { return }
    var free = first
    for entry in waiting {
      // What another purchase has got by now is no longer this one's.
      if let number = numbers[entry.id], number >= first {
        free = max(free, number + 1)
        continue
      }
      take(free, for: entry.id)
      free += 1
    }
    // What was declined lets go of numbers that transactions have.
    for entry in declined[account] ?? [] where numbers[entry.id].map({ $0 < first && $0 > lastSmallNumber }) ?? true {
      takeSmallNumber(for: entry.id)
    }
  }

  private mutating func take(_ number: UInt, for id: String) {
    if let owner = names[number], owner != id { takeSmallNumber(for: owner) }
    numbers[id] = number
    names[number] = id
  }

  private mutating func takeSmallNumber(for id: String) {
    lastSmallNumber += 1
    numbers[id] = lastSmallNumber
    names[lastSmallNumber] = id
  }

  mutating func decline(_ entry: ListPendingPurchases.Entry, of account: String) {
    declined[account, default: []].append(entry)
  }

  /// What waited was bought.
  mutating func buy(_ entry: ListPendingPurchases.Entry, as transaction: TransactionID) {
    bought[entry.id] = transaction
  }
}
