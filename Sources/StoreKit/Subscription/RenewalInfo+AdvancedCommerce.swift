public import Foundation

extension Product.SubscriptionInfo.RenewalInfo {
  /// What the Advanced Commerce API adds. Worlds sell nothing through it, so there is never one.
  public struct AdvancedCommerceInfo: Hashable, Sendable {
    public let consistencyToken: String
    public let requestReferenceID: String
    public let taxCode: String
    public let description: String
    public let displayName: String
    public let period: Product.SubscriptionPeriod
    public let items: [Item]

    public struct Item: Hashable, Sendable {
      public typealias Details = Transaction.AdvancedCommerceInfo.Item.Details
      public let details: Details
      public let priceIncreaseInfo: PriceIncreaseInfo?

      public struct PriceIncreaseInfo: Hashable, Sendable {
        public let status: Status
        public let price: Decimal
        public let dependentSKUs: [String]

        public struct Status: RawRepresentable, Hashable, Sendable {
          public let rawValue: String
          public init(rawValue: String) { self.rawValue = rawValue }
          public static let pending = Status(rawValue: "PENDING")
          public static let accepted = Status(rawValue: "ACCEPTED")
          public static let scheduled = Status(rawValue: "SCHEDULED")
        }
      }
    }
  }
}
