/// A price for a limited time.
package struct SubscriptionOffer: Sendable, Hashable, Codable {
  /// How a customer gets it.
  package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case introductory
    case promotional
    case code
    case winBack
  }

  /// How it is paid; raw values are those of `offerDiscountType` in signed transactions.
  package enum PaymentMode: String, Sendable, Hashable, Codable, CaseIterable {
    case freeTrial = "FREE_TRIAL"
    case payAsYouGo = "PAY_AS_YOU_GO"
    case payUpFront = "PAY_UP_FRONT"
  }

  /// Who may redeem an offer code; raw values are the file's.
  package enum CodeEligibility: String, Sendable, Hashable, Codable, CaseIterable {
    case new
    case existing
    case expired
  }

  /// The counts of periods that an offer may have.
  package static let periodCounts = 1...999

  /// Nil for introductory offers only; unique among the offers of its kind on one product. An offer code has none in
  /// the file, where its reference name stands for it.
  package let id: String?
  package let kind: Kind
  package let referenceName: String?
  package let paymentMode: PaymentMode
  package let period: SubscriptionPeriod
  /// How many periods it lasts.
  package let periodCount: Int
  /// Thousandths of the currency unit, for each period (pay as you go) or for all (pay up front); 0 for a free trial.
  package let priceMilliunits: Int64
  /// Who may redeem it; empty for other kinds than offer codes.
  package let codeEligibility: Set<CodeEligibility>
  /// Whether an offer code may follow an introductory offer; false for other kinds.
  package let isStackable: Bool
  /// Whether the customer of this configuration is eligible for a win-back offer; false for other kinds.
  package let isWinBackEligible: Bool

  package init(
    id: String?, kind: Kind, referenceName: String?, paymentMode: PaymentMode, period: SubscriptionPeriod,
    periodCount: Int, priceMilliunits: Int64, codeEligibility: Set<CodeEligibility> = [], isStackable: Bool = false,
    isWinBackEligible: Bool = false
  ) {
    self.id = id
    self.kind = kind
    self.referenceName = referenceName
    self.paymentMode = paymentMode
    self.period = period
    self.periodCount = periodCount
    self.priceMilliunits = priceMilliunits
    self.codeEligibility = codeEligibility
    self.isStackable = isStackable
    self.isWinBackEligible = isWinBackEligible
  }
}
