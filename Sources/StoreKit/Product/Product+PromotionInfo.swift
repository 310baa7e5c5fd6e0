import ClientNode

extension Product {
  /// The order and visibility of promoted products on this device, which an app may set for its customer.
  ///
  /// Nothing shows them here. They are kept for the launch of the app, so that what was set can be read.
  public struct PromotionInfo: Hashable, Sendable {
    @nonexhaustive public enum Visibility: Int, Hashable, Sendable {
      case appStoreConnectDefault
      case visible
      case hidden
    }

    public let productID: Product.ID
    public var visibility: Visibility

    /// What was set so far, in its order.
    public static var currentOrder: [PromotionInfo] {
      get async throws { PromotionBook.order(of: try CurrentDevice.orThrow()) }
    }

    public func update() async throws {
      try await PromotionInfo.updateProductVisibility(visibility, for: productID)
    }

    public static func updateProductOrder(byID order: some Collection<Product.ID>) async throws {
      PromotionBook.change(for: try CurrentDevice.orThrow()) { promotions in
        let known = promotions
        promotions = order.map { id in
          PromotionInfo(
            productID: id, visibility: known.first { $0.productID == id }?.visibility ?? .appStoreConnectDefault)
        }
      }
    }

    public static func updateProductVisibility(_ visibility: Visibility, for productID: Product.ID) async throws {
      PromotionBook.change(for: try CurrentDevice.orThrow()) { promotions in
        if let place = promotions.firstIndex(where: { $0.productID == productID }) {
          promotions[place].visibility = visibility
        } else {
          promotions.append(PromotionInfo(productID: productID, visibility: visibility))
        }
      }
    }

    public static func updateAll(_ promotions: some Collection<PromotionInfo>) async throws {
      PromotionBook.change(for: try CurrentDevice.orThrow()) { $0 = Array(promotions) }
    }
  }
}
