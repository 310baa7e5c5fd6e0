import Foundation
import Shared
import Testing
import Wire

/// What is written without `Codable`, for speed, is what `Codable` would have written, byte for byte.
@Suite struct WrittenJSONTests {
  private static let time = StoreTime(milliseconds: 1_767_225_600_123)
  private static let offer = AppliedOffer(
    type: AppliedOffer.promotional, identifier: "back \"to\" school/\u{1F393}", discountType: "PAY_AS_YOU_GO",
    period: "P3M")

  private static let record: TransactionRecord = {
    var record = TransactionRecord(
      transactionId: TransactionID(2_000_000_001_000_002), originalTransactionId: TransactionID(2_000_000_001_000_001),
      productId: "com.example.app.monthly", type: .autoRenewable, purchaseDate: time, originalPurchaseDate: time,
      price: 4_990, currency: "USD", storefront: "USA", appTransactionId: "700000000000000001")
    record.subscriptionGroupIdentifier = "5E1F00D1"
    record.webOrderLineItemId = "3000000001000001"
    record.expiresDate = time
    record.appAccountToken = UUID()
    record.offer = offer
    record.revocation = Revocation(date: time, reason: 1, type: "REFUND_PRORATED", percentage: 50_000)
    return record
  }()

  private static let info: RenewalInfo = {
    var info = RenewalInfo(
      originalTransactionId: record.originalTransactionId, subscriptionGroupIdentifier: "5E1F00D1",
      latestTransactionId: record.transactionId, productId: record.productId, willAutoRenew: true, status: .subscribed,
      renewalDate: time, renewalPrice: 4_990, currency: "USD", recentSubscriptionStartDate: time,
      appTransactionId: "700000000000000001")
    info.expirationIntent = 1
    info.gracePeriodExpiresDate = time
    info.priceIncreaseStatus = 0
    info.nextOffer = offer
    info.eligibleWinBackOfferIds = ["a", "b"]
    info.appAccountToken = UUID()
    return info
  }()

  private static let update = AccountUpdate(
    sequence: 7, name: "renewed", at: time, records: [record], renewalInfos: [info], finished: [record.transactionId],
    storefront: "DEU", cause: .init(request: UUID(), device: "phone", intendedAt: 9))

  private static let entitlement = EntitlementChanged(
    entitlement: UserEntitlement(
      account: "alice", originalTransactionId: record.originalTransactionId, transactionId: record.transactionId,
      recordRevision: 3, productId: record.productId, type: .autoRenewable, quantity: 1, status: .grace,
      expiresDate: time, ownership: .familyShared, willAutoRenew: false),
    removed: true)

  @Test func everythingIsWrittenAsCodableWouldWriteIt() {
    #expect(text(Self.record.json) == text(WireJSON.encode(Self.record)))
    #expect(text(Self.update.json) == text(WireJSON.encode(Self.update)))
    #expect(text(Self.entitlement.json) == text(WireJSON.encode(Self.entitlement)))
  }

  @Test func whatIsAbsentIsWrittenAsCodableWouldWriteIt() {
    let bare = AccountUpdate(sequence: 1, name: "opened", at: Self.time)
    #expect(text(bare.json) == text(WireJSON.encode(bare)))
    var entitlement = Self.entitlement
    entitlement.entitlement.expiresDate = nil
    entitlement.entitlement.willAutoRenew = nil
    #expect(text(entitlement.json) == text(WireJSON.encode(entitlement)))
  }

  /// A field that is added later has to be among those that are compared.
  @Test func theSamplesHaveEveryField() {
    let samples: [Any] = [
      Self.record, Self.offer, Self.record.revocation as Any, Self.info, Self.update, Self.update.cause as Any,
      Self.entitlement.entitlement,
    ]
    for sample in samples {
      for (label, value) in Mirror(reflecting: sample).children {
        let mirror = Mirror(reflecting: value)
        let isEmpty =
          (mirror.displayStyle == .optional || mirror.displayStyle == .collection) && mirror.children.isEmpty
        #expect(!isEmpty, "\(type(of: sample)).\(label ?? "?") is empty in the sample")
      }
    }
  }

  private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }
}
