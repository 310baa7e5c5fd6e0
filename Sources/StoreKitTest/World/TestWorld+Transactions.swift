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
      let history = try history(of: account)
      let waiting = try pending(of: account)
      return state.withLock { state in
        let pending = waiting.reversed().map {
          SKTestTransaction($0, number: state.ledger.number(of: $0.id), isDeclined: false)
        }
        let declined = (state.ledger.declined[account] ?? []).reversed().map {
          SKTestTransaction($0, number: state.ledger.number(of: $0.id), isDeclined: true)
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

  func find(_ identifier: UInt) throws(SKTestError) -> Found {
    for account in accounts {
      let waiting = try pending(of: account)
      if let entry = waiting.first(where: { entry in
        state.withLock { $0.ledger.number(of: entry.id) } == identifier
      }) {
        return .pending(entry, account: account)
      }
      let history = try history(of: account)
      if let record = history[TransactionID(UInt64(identifier))] {
        return .transaction(record, history.renewalInfos[record.originalTransactionId], account: account)
      }
    }
    throw SKTestError(.noTransactionFound, "there is no transaction \(identifier): see allTransactions()")
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

  private func history(of account: String) throws(SKTestError) -> TransactionHistory {
    let reply = try ask(CatchUp(epoch: 0, after: 0), of: self.account(account))
    guard case .snapshot(let history) = reply.content else { return TransactionHistory() }
    return history
  }

  private func pending(of account: String) throws(SKTestError) -> [ListPendingPurchases.Entry] {
    try ask(ListPendingPurchases(), of: self.account(account)).purchases
  }
}
