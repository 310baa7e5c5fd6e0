import Shared

/// The backend of an app, as far as the stories need one: it credits each transaction once, however often it is told.
struct Receiver {
  /// What it answers next; 200 when there is nothing left.
  var statuses: [Int] = []
  private(set) var credited: [TransactionID] = []
  private(set) var told: [TransactionID: Int] = [:]

  mutating func post(_ id: TransactionID) -> Int {
    told[id, default: 0] += 1
    let status = statuses.isEmpty ? 200 : statuses.removeFirst()
    if status == 200, !credited.contains(id) { credited.append(id) }
    return status
  }
}
