// Structures, as at Apple: a value that this version does not know comes through.

extension Transaction {
  public struct RevocationReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let other = RevocationReason(rawValue: 0)
    public static let developerIssue = RevocationReason(rawValue: 1)
  }

  public struct RevocationType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let familyRevocation = RevocationType(rawValue: "FAMILY_REVOKE")
    public static let fullRefund = RevocationType(rawValue: "REFUND_FULL")
    public static let proratedRefund = RevocationType(rawValue: "REFUND_PRORATED")
  }

  public struct OwnershipType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let purchased = OwnershipType(rawValue: "PURCHASED")
    public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")
  }

  public struct Reason: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let purchase = Reason(rawValue: "PURCHASE")
    public static let renewal = Reason(rawValue: "RENEWAL")
  }
}

extension Transaction.RevocationReason {
  public var localizedDescription: String {
    switch self {
    case .other: "Other"
    case .developerIssue: "Developer Issue"
    default: "Unknown Reason \(rawValue)"
    }
  }
}

extension Transaction.OwnershipType {
  public var localizedDescription: String {
    switch self {
    case .purchased: "Purchased"
    case .familyShared: "Family Shared"
    default: rawValue
    }
  }
}

extension Transaction.OfferType {
  public var localizedDescription: String {
    switch self {
    case .introductory: "Introductory"
    case .promotional: "Promotional"
    case .code: "Offer Code"
    case .winBack: "Win-Back"
    default: "Unknown Offer \(rawValue)"
    }
  }
}
