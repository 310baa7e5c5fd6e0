import ClientNode
import Foundation
import Shared
import StoreKit
import Wire

/// Purchases in the App Store itself, outside of any app.
extension TestWorld {
  func buy(
    _ productId: String, options: Set<Product.PurchaseOption>
  ) throws -> Purchase.Reply.Outcome {
    let order = try Product.PurchaseOption.order(for: productId, with: options)
    var purchase = Purchase(
      productId: order.productId, quantity: order.quantity, appAccountToken: order.appAccountToken,
      simulatesAskToBuy: order.simulatesAskToBuy, offer: order.offer)
    var date: (at: Date, cancels: Bool)?
    var code: String?
    for option in options {
      switch option.testing {
      case .purchaseDate(let at, let cancels): date = (at, cancels)
      case .codeOffer(let name): code = name
      case .promotionalOffer(let id): purchase.offer = try sign(id, for: purchase, at: date?.at)
      case nil: break
      }
    }
    let account = account(TestWorld.ownAccount)
    do {
      if let code { return try tell(RedeemCode(productId: productId, referenceName: code), account).outcome }
      guard let date else { return try tell(purchase, account).outcome }
      if case .promotional(let signed) = purchase.offer {
        purchase.offer = try sign(signed.offerId, for: purchase, at: date.at)
      }
      return try tell(
        BackdatePurchase(
          purchase, purchaseDate: StoreTime(date.at), renewal: date.cancels ? .cancelImmediately : .renewUntilNow),
        account
      ).outcome
    } catch let error as SKTestError {
      throw error.purchaseError ?? error
    }
  }

  /// With the key with which the world's developer signs offers.
  private func sign(_ offerId: String, for purchase: Purchase, at date: Date?) throws -> PurchaseOffer {
    let keys = try ask(DescribeOfferKeys(), of: world)
    let described = try ask(DescribeWorld(), of: world)
    let time = date.map { StoreTime($0) } ?? described.now
    let message = PromotionalOfferMessage(
      bundleId: described.bundleId, keyId: keys.keyId, productId: purchase.productId, offerId: offerId,
      appAccountToken: purchase.appAccountToken, nonce: UUID(), timestamp: time.milliseconds)
    let signature = try OffersKey(id: keys.keyId, privateKey: keys.privateKey).sign(message.data)
    return .promotional(
      PromotionalOfferSignature(
        offerId: offerId, keyId: keys.keyId, nonce: message.nonce, timestamp: time.milliseconds, signature: signature))
  }
}
