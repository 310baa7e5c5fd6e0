public import Foundation
public import StoreKit

// For `SKTestSession.buyProduct(identifier:options:)` alone; an app's own purchase passes over them.
extension Product.PurchaseOption {
  /// What a subscription that was bought in the past has done since.
  @nonexhaustive public enum SubscriptionRenewalBehavior: Hashable, Sendable {
    case cancelImmediately
    case renewUntilNow
  }

  /// Bought at an earlier time, with every renewal since.
  public static func purchaseDate(
    _ purchaseDate: Date, renewalBehavior: SubscriptionRenewalBehavior = .renewUntilNow
  ) -> Product.PurchaseOption {
    Product.PurchaseOption(.purchaseDate(purchaseDate, cancelsImmediately: renewalBehavior == .cancelImmediately))
  }

  /// Redeems an offer code by its reference name.
  public static func codeOffer(referenceName: String) -> Product.PurchaseOption {
    Product.PurchaseOption(.codeOffer(referenceName: referenceName))
  }

  /// A promotional offer that needs no signature.
  public static func promotionalOffer(id: String) -> Product.PurchaseOption {
    Product.PurchaseOption(.promotionalOffer(id: id))
  }
}
