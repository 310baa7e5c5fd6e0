import ClientNode
public import Foundation

extension Product {
  /// A wish that goes with a purchase.
  public struct PurchaseOption: Hashable, Sendable {
    enum Value: Hashable {
      case text(String)
      case number(Double)
      case bool(Bool)
      case data(Data)
    }

    enum Kind: Hashable {
      case appAccountToken(UUID)
      case quantity(Int)
      case simulatesAskToBuy(Bool)
      case custom(key: String, value: Value)
      case storefrontChange
      case promotionalOffer(id: String)
      case winBackOffer(SubscriptionOffer)
    }

    let kind: Kind

    /// Names the developer's own user; comes back in the transaction.
    public static func appAccountToken(_ token: UUID) -> PurchaseOption {
      PurchaseOption(kind: .appAccountToken(token))
    }

    /// Of consumables and non-renewing subscriptions, 1 to 10.
    public static func quantity(_ quantity: Int) -> PurchaseOption { PurchaseOption(kind: .quantity(quantity)) }

    public static func simulatesAskToBuyInSandbox(_ simulateAskToBuy: Bool) -> PurchaseOption {
      PurchaseOption(kind: .simulatesAskToBuy(simulateAskToBuy))
    }

    // Keys that Apple has not defined have no effect.
    public static func custom(key: String, value: String) -> PurchaseOption { custom(key, .text(value)) }
    public static func custom(key: String, value: Double) -> PurchaseOption { custom(key, .number(value)) }
    public static func custom(key: String, value: Bool) -> PurchaseOption { custom(key, .bool(value)) }
    public static func custom(key: String, value: Data) -> PurchaseOption { custom(key, .data(value)) }

    private static func custom(_ key: String, _ value: Value) -> PurchaseOption {
      PurchaseOption(kind: .custom(key: key, value: value))
    }

    /// Never asked here: a world's storefront stays what it is.
    public static func onStorefrontChange(
      shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
    ) -> PurchaseOption {
      PurchaseOption(kind: .storefrontChange)
    }

    // Purchases with an offer are refused with `StoreKitError.unsupported`: selling without it would be a wrong price.

    public static func promotionalOffer(
      offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
    ) -> PurchaseOption {
      PurchaseOption(kind: .promotionalOffer(id: offerID))
    }

    public static func promotionalOffer(
      offerID: String, signature: SubscriptionOffer.Signature
    ) -> PurchaseOption {
      PurchaseOption(kind: .promotionalOffer(id: offerID))
    }

    public static func promotionalOffer(_ offerID: String, compactJWS: String) -> [PurchaseOption] {
      [
        custom(key: offerIdKey, value: offerID),
        custom(key: offerSignatureKey, value: Data(compactJWS.utf8).base64EncodedString()),
      ]
    }

    public static func winBackOffer(_ offer: SubscriptionOffer) -> PurchaseOption {
      PurchaseOption(kind: .winBackOffer(offer))
    }

    public static func introductoryOfferEligibility(compactJWS: String) -> PurchaseOption {
      custom(key: introEligibilityKey, value: compactJWS)
    }

    private static let offerIdKey = "adHocOfferId"
    private static let offerSignatureKey = "adHocSignature"
    private static let introEligibilityKey = "introOfferEligibilityParam"

    var changesPrice: Bool {
      switch kind {
      case .promotionalOffer, .winBackOffer: true
      case .custom(let key, _): [Self.offerIdKey, Self.offerSignatureKey, Self.introEligibilityKey].contains(key)
      default: false
      }
    }

    func apply(to order: inout PurchaseOrder) {
      switch kind {
      case .appAccountToken(let token): order.appAccountToken = token
      case .quantity(let quantity): order.quantity = quantity
      case .simulatesAskToBuy(let simulates): order.simulatesAskToBuy = simulates
      case .custom, .storefrontChange, .promotionalOffer, .winBackOffer: break
      }
    }
  }
}

extension Product.PurchaseOption: CustomDebugStringConvertible {
  public var debugDescription: String { "\(kind)" }
}
