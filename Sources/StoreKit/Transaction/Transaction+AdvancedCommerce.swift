public import Foundation

extension Transaction {
  /// Nil: worlds sell nothing through the Advanced Commerce API.
  public var advancedCommerceInfo: AdvancedCommerceInfo? { nil }

  /// What the Advanced Commerce API adds. There is never one.
  public struct AdvancedCommerceInfo: Hashable, Sendable {
    public let requestReferenceID: String
    public let estimatedTax: Decimal
    public let taxRate: Decimal
    public let taxCode: String
    public let taxExclusivePrice: Decimal
    public let description: String?
    public let displayName: String?
    public let period: Product.SubscriptionPeriod?
    public let items: [Item]

    public struct Item: Hashable, Sendable {
      public let details: Details
      public let refunds: [Refund]?
      public let revocationDate: Date?

      public struct Details: Hashable, Sendable {
        public let sku: String
        public let displayName: String
        public let description: String
        public let offer: Offer?
        public let price: Decimal
      }
    }

    public struct Offer: Hashable, Sendable {
      public let price: Decimal
      public let period: Product.SubscriptionPeriod
      public let periodCount: Int
      public let reason: Reason

      public struct Reason: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let acquisition = Reason(rawValue: "ACQUISITION")
        public static let retention = Reason(rawValue: "RETENTION")
        public static let winBack = Reason(rawValue: "WIN_BACK")
      }
    }

    public struct Refund: Hashable, Sendable {
      public let reason: Reason
      public let type: RefundType
      public let date: Date
      public let amount: Decimal

      public struct Reason: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let legal = Reason(rawValue: "LEGAL")
        public static let modifyItems = Reason(rawValue: "MODIFY_ITEMS_REFUND")
        public static let unintended = Reason(rawValue: "UNINTENDED_PURCHASE")
        public static let unfulfilled = Reason(rawValue: "FULFILLMENT_ISSUE")
        public static let unsatisfied = Reason(rawValue: "UNSATISFIED_WITH_PURCHASE")
        public static let other = Reason(rawValue: "OTHER")
      }

      public struct RefundType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let custom = RefundType(rawValue: "CUSTOM")
        public static let proRated = RefundType(rawValue: "PRORATED")
        public static let full = RefundType(rawValue: "FULL")
      }
    }
  }
}
