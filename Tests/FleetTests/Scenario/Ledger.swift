import Foundation
import Shared
import Wire

/// A small vocabulary for journals in tests.
enum Ledger {
  static func day(_ text: String) -> StoreTime {
    StoreTime((try? Date(text + "T00:00:00Z", strategy: .iso8601)) ?? .distantPast)
  }

  static func record(
    _ id: UInt64, _ product: String, _ type: ProductType = .nonConsumable, bought: String = "2026-01-01",
    until: String? = nil, lineage: UInt64? = nil, revision: UInt64 = 1,
    _ change: (inout TransactionRecord) -> Void = { _ in }
  ) -> TransactionRecord {
    var record = TransactionRecord(
      transactionId: TransactionID(id), originalTransactionId: TransactionID(lineage ?? id), productId: product,
      type: type, purchaseDate: day(bought), originalPurchaseDate: day(bought), price: 990, currency: "USD",
      storefront: "USA", appTransactionId: "1")
    record.expiresDate = until.map(day)
    record.recordRevision = revision
    if type == .autoRenewable { record.subscriptionGroupIdentifier = "group" }
    change(&record)
    return record
  }

  static func refunded(_ record: TransactionRecord, _ date: String, type: String = "REFUND_FULL") -> TransactionRecord {
    var record = record
    record.revocation = Revocation(date: day(date), reason: 0, type: type)
    record.recordRevision += 1
    return record
  }

  static func info(
    of record: TransactionRecord, _ status: SubscriptionStatus, renews: Bool = true, revision: UInt64 = 1,
    _ change: (inout RenewalInfo) -> Void = { _ in }
  ) -> RenewalInfo {
    var info = RenewalInfo(
      originalTransactionId: record.originalTransactionId, subscriptionGroupIdentifier: "group",
      latestTransactionId: record.transactionId, productId: record.productId, willAutoRenew: renews, status: status,
      renewalDate: record.expiresDate ?? record.purchaseDate, renewalPrice: 990, currency: "USD",
      recentSubscriptionStartDate: record.purchaseDate, appTransactionId: "1")
    info.recordRevision = revision
    change(&info)
    return info
  }

  private struct Body: Encodable {
    var records: [TransactionRecord]?
    var renewalInfos: [RenewalInfo]?
    var finished: [TransactionID]?
    var note = "keys that the checker does not know"
  }

  static func entry(
    _ sequence: UInt64, _ name: String, at: String = "2026-01-01", records: [TransactionRecord]? = nil,
    infos: [RenewalInfo]? = nil, finished: [UInt64]? = nil
  ) -> ReadJournal.Entry {
    let body = Body(records: records, renewalInfos: infos, finished: finished?.map { TransactionID($0) })
    return ReadJournal.Entry(
      sequence: sequence, name: name, at: day(at), body: String(decoding: WireJSON.encode(body), as: UTF8.self))
  }
}
