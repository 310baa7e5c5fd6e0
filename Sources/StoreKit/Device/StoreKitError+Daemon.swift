import ClientNode
import Foundation
import Wire

extension StoreKitError {
  init(_ error: DaemonError) {
    switch error {
    case .network: self = .networkError(URLError(.notConnectedToInternet))
    case .refused(_, let message), .internalError(let message): self = .systemError(StoreMessage(text: message))
    case .appNotRunning: self = .unknown
    }
  }
}

extension Product.PurchaseError {
  /// Nil for reasons that StoreKit has no purchase error for.
  init?(_ refusal: Refusal) {
    switch refusal {
    case .productUnavailable: self = .productUnavailable
    case .invalidQuantity: self = .invalidQuantity
    case .purchaseNotAllowed: self = .purchaseNotAllowed
    case .ineligibleForOffer: self = .ineligibleForOffer
    case .invalidOfferIdentifier: self = .invalidOfferIdentifier
    case .invalidOfferPrice: self = .invalidOfferPrice
    case .invalidOfferSignature: self = .invalidOfferSignature
    case .missingOfferParameters: self = .missingOfferParameters
    default: return nil
    }
  }
}

/// A sentence of the store, for people.
struct StoreMessage: LocalizedError {
  let text: String
  var errorDescription: String? { text }
}
