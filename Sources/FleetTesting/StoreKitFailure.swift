public import Foundation
import Shared
import Wire

/// How a part of StoreKit fails when a test says so.
public enum StoreKitFailure: Hashable, Sendable {
  // MARK: StoreKitError, of every call

  /// `StoreKitError.networkError`: not connected to the internet.
  case networkError
  /// `StoreKitError.networkError` with this code.
  case network(URLError.Code)
  case systemError
  case userCancelled
  case notAvailableInStorefront
  case notEntitled
  case unsupported
  case unknown

  // MARK: Product.PurchaseError, of `StoreKitCall.purchase`

  case invalidQuantity
  case productUnavailable
  case purchaseNotAllowed
  case ineligibleForOffer
  case invalidOfferIdentifier
  case invalidOfferPrice
  case invalidOfferSignature
  case missingOfferParameters

  // MARK: Transaction.RefundRequestError, of `StoreKitCall.refundRequest`

  case duplicateRequest
  case refundFailed

  // MARK: VerificationResult.VerificationError, of `StoreKitCall.verification`

  case revokedCertificate
  case invalidCertificateChain
  case invalidDeviceVerification
  case invalidEncoding
  case invalidSignature
  case missingRequiredProperties

  var simulated: SimulatedFailure {
    switch self {
    case .networkError: .offline
    case .network(let code): .networkError(code: code.rawValue)
    case .systemError: .systemError
    case .userCancelled: .userCancelled
    case .notAvailableInStorefront: .notAvailableInStorefront
    case .notEntitled: .notEntitled
    case .unsupported: .unsupported
    case .unknown: .unknown
    case .invalidQuantity: .purchase(.invalidQuantity)
    case .productUnavailable: .purchase(.productUnavailable)
    case .purchaseNotAllowed: .purchase(.purchaseNotAllowed)
    case .ineligibleForOffer: .purchase(.ineligibleForOffer)
    case .invalidOfferIdentifier: .purchase(.invalidOfferIdentifier)
    case .invalidOfferPrice: .purchase(.invalidOfferPrice)
    case .invalidOfferSignature: .purchase(.invalidOfferSignature)
    case .missingOfferParameters: .purchase(.missingOfferParameters)
    case .duplicateRequest: .refundRequest(.duplicateRequest)
    case .refundFailed: .refundRequest(.failed)
    case .revokedCertificate: .verification(.revokedCertificate)
    case .invalidCertificateChain: .verification(.invalidCertificateChain)
    case .invalidDeviceVerification: .verification(.invalidDeviceVerification)
    case .invalidEncoding: .verification(.invalidEncoding)
    case .invalidSignature: .verification(.invalidSignature)
    case .missingRequiredProperties: .verification(.missingRequiredProperties)
    }
  }
}
