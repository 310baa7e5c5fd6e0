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
      case promotionalOffer(id: String, signature: SubscriptionOffer.Signature)
      case winBackOffer(SubscriptionOffer)
      case testing(TestPurchaseOption)
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

    /// Never asked here: a purchase is made in the storefront that the account has when the store takes it.
    @preconcurrency public static func onStorefrontChange(
      shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
    ) -> PurchaseOption {
      PurchaseOption(kind: .storefrontChange)
    }

    /// An offer that the app's server has signed. The nonce and the token count in either case of their letters.
    public static func promotionalOffer(
      offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
    ) -> PurchaseOption {
      let signature = SubscriptionOffer.Signature(
        keyID: keyID, nonce: nonce, timestamp: timestamp, signature: signature)
      return promotionalOffer(offerID: offerID, signature: signature)
    }

    public static func promotionalOffer(
      offerID: String, signature: SubscriptionOffer.Signature
    ) -> PurchaseOption {
      PurchaseOption(kind: .promotionalOffer(id: offerID, signature: signature))
    }

    /// The same with a signature in the form of a compact JWS.
    public static func promotionalOffer(_ offerID: String, compactJWS: String) -> [PurchaseOption] {
      [
        custom(key: OfferOptionKey.promotionalId, value: offerID),
        custom(key: OfferOptionKey.promotionalSignature, value: Data(compactJWS.utf8).base64EncodedString()),
      ]
    }

    /// One of the product's own win-back offers.
    public static func winBackOffer(_ offer: SubscriptionOffer) -> PurchaseOption {
      PurchaseOption(kind: .winBackOffer(offer))
    }

    /// The app's server decides whether the introductory offer applies.
    public static func introductoryOfferEligibility(compactJWS: String) -> PurchaseOption {
      custom(key: OfferOptionKey.introductoryEligibility, value: compactJWS)
    }

    func apply(to order: inout PurchaseOrder) {
      switch kind {
      case .appAccountToken(let token): order.appAccountToken = token
      case .quantity(let quantity): order.quantity = quantity
      case .simulatesAskToBuy(let simulates): order.simulatesAskToBuy = simulates
      case .custom, .storefrontChange, .promotionalOffer, .winBackOffer, .testing: break
      }
    }
  }
}

extension Product.PurchaseOption: CustomDebugStringConvertible {
  public var debugDescription: String { "\(kind)" }
}
