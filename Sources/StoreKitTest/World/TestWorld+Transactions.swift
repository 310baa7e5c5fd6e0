import Foundation
import Shared
import StoreKit
import Synchronization
import Wire

/// What accounts have bought, and what waits.
extension TestWorld {
  /// What an identifier of a test transaction stands for.
  enum Found {
    case transaction(TransactionRecord, RenewalInfo?, account: String)
    case pending(ListPendingPurchases.Entry, account: String)
  }

  /// The newest first.
  func transactions(of account: String) -> [SKTestTransaction] {
    do throws(SKTestError) {
      changes.lock()
      defer { changes.unlock() }
      let history = try history(of: account)
      let waiting = try pending(of: account).purchases
      return state.withLock { state in
        let pending = waiting.reversed().map {
          SKTestTransaction($0, number: state.ledger.number(of: $0.id) ?? 0, isDeclined: false)
        }
        let declined = (state.ledger.declined[account] ?? []).reversed().map {
          SKTestTransaction($0, number: state.ledger.number(of: $0.id) ?? 0, isDeclined: true)
        }
        let bought = history.records.reversed().map {
          SKTestTransaction($0, history.renewalInfos[$0.originalTransactionId])
        }
        return (pending + declined + bought).sorted { $0.purchaseDate > $1.purchaseDate }
      }
    } catch {
      TestWorld.log(error.description)
      return []
    }
  }

  /// A purchase that went through goes by the number that it waited with, too.
  /// - Parameter prefersWaiting: what counts when the number is that of a transaction by now.
  func find(_ identifier: UInt, prefersWaiting: Bool = false) throws(SKTestError) -> Found {
    var found: Found?
    for account in accounts {
      let waiting = try pending(of: account).purchases
      let (name, bought) = state.withLock { ($0.ledger.name(of: identifier), $0.ledger.transaction(of: identifier)) }
      if let entry = waiting.first(where: { $0.id == name }) {
        if prefersWaiting { return .pending(entry, account: account) }
        found = found ?? .pending(entry, account: account)
      }
      let history = try history(of: account)
      if let record = history[TransactionID(UInt64(identifier))] ?? bought.flatMap({ history[$0] }) {
        let transaction = Found.transaction(
          record, history.renewalInfos[record.originalTransactionId], account: account)
        if !prefersWaiting { return transaction }
        found = found ?? transaction
      }
    }
    if let found { return found }
    throw SKTestError(.noTransactionFound, "there is no transaction \(identifier): see allTransactions()")
  }

  /// Lets a purchase that waits go through, and remembers what became of it.
  func letThrough(
    _ entry: ListPendingPurchases.Entry, of account: String, by request: some Request
  ) throws(SKTestError) {
    changes.lock()
    defer { changes.unlock() }
    let next = try pending(of: account).nextTransactionId
    try tell(request, self.account(account))
    let history = try history(of: account)
    // What was owned by then was handed back, and has no transaction of its own.
    let made = next.flatMap { history[$0] } ?? history.records.last { $0.productId == entry.productId }
    if let made { state.withLock { $0.ledger.buy(entry, as: made.transactionId) } }
  }

  /// The transaction with this identifier; one that waits is none yet.
  func transaction(
    _ identifier: UInt
  ) throws(SKTestError) -> (record: TransactionRecord, info: RenewalInfo?, account: String) {
    guard case .transaction(let record, let info, let account) = try find(identifier) else {
      throw SKTestError(.invalidAction, "transaction \(identifier) waits for an answer: nothing was bought yet")
    }
    return (record, info, account)
  }

  /// The store can charge for one subscription, this once: what fails for all fails again afterwards.
  func recover(_ info: RenewalInfo, of account: String) throws(SKTestError) {
    changes.lock()
    defer { changes.unlock() }
    let address = self.account(account)
    let others = try history(of: account).renewalInfos.values.filter {
      $0.isInBillingRetry && $0.originalTransactionId != info.originalTransactionId
    }
    try ask(SetBilling(fails: false, recovers: false), of: address)
    for other in others { try ask(SetBilling(productId: other.autoRenewProductId, fails: true), of: address) }
    try tell(SetBilling(productId: info.autoRenewProductId, fails: false), address)
    try ask(SetBilling(fails: false, recovers: false), of: address)
    if settings.shouldEnterBillingRetryOnRenewal { try ask(SetBilling(fails: true), of: address) }
  }

  private func history(of account: String) throws(SKTestError) -> TransactionHistory {
    let reply = try ask(CatchUp(epoch: 0, after: 0), of: self.account(account))
    guard case .snapshot(let history) = reply.content else { return TransactionHistory() }
    return history
  }

  private func pending(of account: String) throws(SKTestError) -> ListPendingPurchases.Reply {
    let reply = try ask(ListPendingPurchases(), of: self.account(account))
    state.withLock { $0.ledger.note(reply.purchases, of: account, next: reply.nextTransactionId) }
    return reply
  }
}
