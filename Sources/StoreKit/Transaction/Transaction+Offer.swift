import Shared

extension Transaction {
  /// The offer that it was bought with.
  public var offer: Offer? {
    offerType.map { type in
      Offer(
        id: offerID, type: type, paymentMode: offerPaymentModeStringRepresentation.map(Offer.PaymentMode.init),
        period: offerPeriodStringRepresentation.flatMap(Product.SubscriptionPeriod.init(iso8601:)))
    }
  }

  // Apple has put `offer` in the place of these; real code still reads them.
  public var offerType: OfferType? { content.payload.offerType.map(OfferType.init) }
  public var offerID: String? { content.payload.offerIdentifier }
  public var offerPaymentModeStringRepresentation: String? { content.payload.offerDiscountType }
  public var offerPeriodStringRepresentation: String? { content.payload.offerPeriod }

  public struct Offer: Hashable, Sendable {
    /// Nil for an introductory offer.
    public let id: String?
    public let type: OfferType
    public let paymentMode: PaymentMode?
    /// The whole offer: its period times the number of periods.
    public let period: Product.SubscriptionPeriod?

    public struct PaymentMode: RawRepresentable, Hashable, Sendable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      public static let freeTrial = PaymentMode(rawValue: "FREE_TRIAL")
      public static let payAsYouGo = PaymentMode(rawValue: "PAY_AS_YOU_GO")
      public static let payUpFront = PaymentMode(rawValue: "PAY_UP_FRONT")
      public static let oneTime = PaymentMode(rawValue: "ONE_TIME")
    }
  }

  public struct OfferType: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let introductory = OfferType(rawValue: 1)
    public static let promotional = OfferType(rawValue: 2)
    public static let code = OfferType(rawValue: 3)
    public static let winBack = OfferType(rawValue: 4)
    /// Not Apple's: published listings write it, and the warning tells its readers the name that Apple has.
    @available(*, deprecated, renamed: "introductory")
    public static let introductoryOffer = introductory
  }
}
