import ClientNode
import Wire

/// A customer has tapped a product of the app in the App Store, and is sent here to buy it.
///
/// Apple: https://developer.apple.com/documentation/storekit/purchaseintent
public struct PurchaseIntent: Hashable, Identifiable, Sendable {
  public let product: Product
  /// A win-back offer, when it was that.
  public let offer: Product.SubscriptionOffer?

  public var id: Product.ID { product.id }

  /// The customer's wishes. Never ends by itself.
  public static var intents: PurchaseIntents { PurchaseIntents(daemon: CurrentDevice.orNothing()) }

  public struct PurchaseIntents: AsyncSequence, Sendable {
    public typealias Element = PurchaseIntent
    public typealias Failure = Never

    let daemon: (any StoreDaemon)?

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(wishes: DeviceListener(to: daemon) { $0.purchaseIntents() })
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      var wishes: DeviceListener<SendPurchaseIntent>

      public mutating func next() async -> PurchaseIntent? { await next(isolation: #isolation) }

      public mutating func next(isolation actor: isolated (any Actor)?) async -> PurchaseIntent? {
        while let (wish, daemon) = await wishes.next() {
          // A product that cannot be loaded, or is not sold, is no wish that an app could fulfil.
          guard let product = try? await Product.load([wish.productId], on: daemon).first else { continue }
          let offers = product.subscription?.winBackOffers ?? []
          return PurchaseIntent(product: product, offer: wish.offerId.flatMap { id in offers.first { $0.id == id } })
        }
        return nil
      }
    }
  }
}
