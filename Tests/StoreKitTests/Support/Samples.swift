import ClientNode
import Foundation
import Shared

extension CatalogProduct {
  static let coins = product("coins", .consumable)
  static let pro = product("pro", .nonConsumable)
  static let yearly = CatalogProduct(
    id: "yearly", type: .autoRenewable, priceMilliunits: 39_990, referenceName: "Yearly", isFamilyShareable: true,
    localizations: [
      ProductLocalization(locale: "ja", displayName: "年額", description: "一年間"),
      ProductLocalization(locale: "en_US", displayName: "One Year", description: "All filters"),
    ],
    subscription: SubscriptionTerms(
      groupID: "21000000", level: 1, period: SubscriptionPeriod("P1Y") ?? .week,
      introductoryOffers: [
        SubscriptionOffer(
          id: nil, kind: .introductory, referenceName: nil, paymentMode: .freeTrial, period: .week, periodCount: 1,
          priceMilliunits: 0)
      ], promotionalOffers: [], codeOffers: [], winBackOffers: []))

  private static func product(_ id: String, _ type: ProductType) -> CatalogProduct {
    CatalogProduct(
      id: id, type: type, priceMilliunits: 990, referenceName: id, isFamilyShareable: false, localizations: [],
      subscription: nil)
  }
}

extension SubscriptionPeriod {
  static var week: SubscriptionPeriod { SubscriptionPeriod(1, .week)! }
}

extension TransactionRecord {
  static let start = StoreTime(milliseconds: 1_780_000_000_000)

  static func of(_ product: CatalogProduct, id: UInt64 = 2_000_000_000_000_001) -> TransactionRecord {
    TransactionRecord(
      transactionId: TransactionID(id), originalTransactionId: TransactionID(id), productId: product.id,
      type: product.type, purchaseDate: start, originalPurchaseDate: start, price: product.priceMilliunits,
      currency: "USD", storefront: "USA", appTransactionId: "704000000000000001")
  }

  static var yearly: TransactionRecord {
    var record = of(.yearly, id: 2_000_000_000_000_100)
    record.subscriptionGroupIdentifier = "21000000"
    record.webOrderLineItemId = "2000000000000200"
    record.expiresDate = start.advanced(by: 31_536_000_000)
    return record
  }

  func with(_ change: (inout TransactionRecord) -> Void) -> TransactionRecord {
    var record = self
    record.recordRevision += 1
    change(&record)
    return record
  }

  var refunded: TransactionRecord {
    with { $0.revocation = Revocation(date: Self.start, reason: 1, type: "REFUND_FULL", percentage: 100_000) }
  }
}

extension RenewalInfo {
  static var subscription: RenewalInfo {
    let record = TransactionRecord.yearly
    return RenewalInfo(
      originalTransactionId: record.transactionId, subscriptionGroupIdentifier: "21000000",
      latestTransactionId: record.transactionId, productId: "yearly", willAutoRenew: true, status: .subscribed,
      renewalDate: TransactionRecord.start.advanced(by: 31_536_000_000), renewalPrice: 39_990, currency: "USD",
      recentSubscriptionStartDate: TransactionRecord.start, appTransactionId: "704000000000000001")
  }

  func with(_ change: (inout RenewalInfo) -> Void) -> RenewalInfo {
    var info = self
    info.recordRevision += 1
    change(&info)
    return info
  }
}
