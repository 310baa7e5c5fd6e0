public import Foundation
import Shared

extension Product {
  /// A price for a limited time.
  public struct SubscriptionOffer: Hashable, Sendable {
    /// Nil for an introductory offer.
    public let id: String?
    public let type: OfferType
    public let price: Decimal
    public let displayPrice: String
    public let period: SubscriptionPeriod
    /// How many periods it lasts.
    public let periodCount: Int
    public let paymentMode: PaymentMode
    /// The price as the store counts it.
    let milliunits: Int64

    init(_ offer: Shared.SubscriptionOffer, in content: ProductContent) {
      id = offer.id
      type = OfferType(offer.kind)
      milliunits = offer.priceMilliunits
      price = Decimal(milliunits: offer.priceMilliunits)
      displayPrice = content.displayPrice(offer.priceMilliunits)
      period = SubscriptionPeriod(offer.period)
      periodCount = offer.periodCount
      paymentMode = PaymentMode(offer.paymentMode)
    }

    // Apple's raw strings are not documented; these follow its names.

    public struct OfferType: RawRepresentable, Hashable, Sendable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      public static let introductory = OfferType(rawValue: "Introductory")
      public static let promotional = OfferType(rawValue: "Promotional")
      public static let winBack = OfferType(rawValue: "WinBack")
    }

    public struct PaymentMode: RawRepresentable, Hashable, Sendable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      public static let payAsYouGo = PaymentMode(rawValue: "PayAsYouGo")
      public static let payUpFront = PaymentMode(rawValue: "PayUpFront")
      public static let freeTrial = PaymentMode(rawValue: "FreeTrial")
    }

    public struct Signature: Hashable, Sendable {
      public var keyID: String
      public var nonce: UUID
      public var timestamp: Int
      public var signature: Data

      public init(keyID: String, nonce: UUID, timestamp: Int, signature: Data) {
        self.keyID = keyID
        self.nonce = nonce
        self.timestamp = timestamp
        self.signature = signature
      }
    }
  }
}

extension Product.SubscriptionOffer.OfferType {
  public var localizedDescription: String { rawValue }

  init(_ kind: Shared.SubscriptionOffer.Kind) {
    self =
      switch kind {
      case .introductory: .introductory
      case .promotional: .promotional
      case .winBack: .winBack
      // Products do not list their offer codes.
      case .code: Self(rawValue: "Code")
      }
  }
}

extension Product.SubscriptionOffer.PaymentMode {
  public var localizedDescription: String {
    switch self {
    case .payAsYouGo: "Pay As You Go"
    case .payUpFront: "Pay Up Front"
    case .freeTrial: "Free Trial"
    default: rawValue
    }
  }

  init(_ mode: Shared.SubscriptionOffer.PaymentMode) {
    self =
      switch mode {
      case .payAsYouGo: .payAsYouGo
      case .payUpFront: .payUpFront
      case .freeTrial: .freeTrial
      }
  }
}
