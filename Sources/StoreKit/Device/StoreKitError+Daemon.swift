import ClientNode
import Foundation
package import Wire

extension StoreKitError {
  init(_ error: DaemonError) {
    switch error {
    case .network: self = .networkError(URLError(.notConnectedToInternet))
    case .refused(_, let message), .internalError(let message): self = .systemError(StoreMessage(text: message))
    case .simulated(let failure): self.init(failure)
    case .appNotRunning: self = .unknown
    }
  }

  private init(_ failure: SimulatedFailure) {
    switch failure {
    case .networkError(let code): self = .networkError(URLError(URLError.Code(rawValue: code) ?? .unknown))
    case .systemError: self = .systemError(StoreMessage(text: "This fails since a test asks for it."))
    case .userCancelled: self = .userCancelled
    case .notAvailableInStorefront: self = .notAvailableInStorefront
    case .notEntitled: self = .notEntitled
    case .unsupported: self = .unsupported
    // The others belong to calls that throw errors of their own.
    case .unknown, .purchase, .verification, .refundRequest: self = .unknown
    }
  }
}

extension Product.PurchaseError {
  /// Nil for reasons that StoreKit has no purchase error for.
  package init?(_ refusal: Refusal) {
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

extension Product.PurchaseError {
  init(_ failure: SimulatedFailure.PurchaseFailure) {
    switch failure {
    case .invalidQuantity: self = .invalidQuantity
    case .productUnavailable: self = .productUnavailable
    case .purchaseNotAllowed: self = .purchaseNotAllowed
    case .ineligibleForOffer: self = .ineligibleForOffer
    case .invalidOfferIdentifier: self = .invalidOfferIdentifier
    case .invalidOfferPrice: self = .invalidOfferPrice
    case .invalidOfferSignature: self = .invalidOfferSignature
    case .missingOfferParameters: self = .missingOfferParameters
    }
  }
}

/// A sentence of the store, for people.
struct StoreMessage: LocalizedError {
  let text: String
  var errorDescription: String? { text }
}
