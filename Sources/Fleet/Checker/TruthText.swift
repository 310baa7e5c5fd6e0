import Foundation
import Shared

/// The reasons of a truth, in words.
enum TruthText {
  static func acquired(_ record: TransactionRecord) -> String {
    "\(acquisition(record)) \(day(record.purchaseDate))"
  }

  static func revoked(_ revocation: Revocation) -> String {
    revocation.type == "FAMILY_REVOKE"
      ? "no longer shared since \(day(revocation.date))" : "refunded \(day(revocation.date))"
  }

  static func of(_ standing: SubscriptionStanding, _ record: TransactionRecord, _ info: RenewalInfo?) -> String {
    switch standing {
    case .notBegun: "begins \(day(record.purchaseDate))"
    case .running(let end):
      "\(acquired(record)), until \(day(end))" + (info?.willAutoRenew == false ? ", will not renew" : "")
    case .inGrace(let end): "payment failed, in grace until \(day(end))"
    case .over(let end):
      info?.status == .inBillingRetryPeriod ? "payment failed, ended \(day(end))" : "lapsed \(day(end))"
    case .revoked(let revocation): revoked(revocation)
    }
  }

  private static func acquisition(_ record: TransactionRecord) -> String {
    if record.inAppOwnershipType == .familyShared { return "shared by the family" }
    if record.transactionReason == .renewal { return "renewed" }
    return record.offer?.discountType == "FREE_TRIAL" ? "free trial" : "bought"
  }

  /// The day in UTC; with the time when it is not midnight, since short periods begin and end within a day.
  static func day(_ time: StoreTime) -> String {
    let text = time.date.formatted(.iso8601)
    guard text.hasSuffix("T00:00:00Z") else { return text.replacing("T", with: " ").replacing("Z", with: "") }
    return String(text.prefix(10))
  }
}
