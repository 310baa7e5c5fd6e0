package import Foundation

/// What the signature of a promotional offer signs.
///
/// Apple: https://developer.apple.com/documentation/storekit/generating-a-signature-for-promotional-offers
package struct PromotionalOfferMessage: Hashable, Sendable {
  package var bundleId: String
  package var keyId: String
  package var productId: String
  package var offerId: String
  /// The one that the purchase carries.
  package var appAccountToken: UUID?
  package var nonce: UUID
  /// Milliseconds since 1970.
  package var timestamp: Int64

  package init(
    bundleId: String, keyId: String, productId: String, offerId: String, appAccountToken: UUID?, nonce: UUID,
    timestamp: Int64
  ) {
    self.bundleId = bundleId
    self.keyId = keyId
    self.productId = productId
    self.offerId = offerId
    self.appAccountToken = appAccountToken
    self.nonce = nonce
    self.timestamp = timestamp
  }

  /// All of it in this order, with an invisible separator between; UUIDs in lower case, a missing token empty.
  package var data: Data {
    let token = appAccountToken?.uuidString.lowercased() ?? ""
    let parts = [bundleId, keyId, productId, offerId, token, nonce.uuidString.lowercased(), String(timestamp)]
    return Data(parts.joined(separator: "\u{2063}").utf8)
  }
}
