import ClientNode
public import Foundation
import Wire

extension Product {
  /// How a purchase ended.
  @nonexhaustive public enum PurchaseResult: Sendable {
    /// Bought, or owned already.
    case success(VerificationResult<Transaction>)
    case userCancelled
    /// It waits for somebody, as with Ask to Buy. If it is approved, the transaction comes through
    /// `Transaction.updates`; if not, nothing comes.
    case pending
  }

  /// Buys the product on the device that it was loaded on.
  /// - Throws: `Product.PurchaseError` or `StoreKitError`.
  @MainActor public func purchase(options: Set<PurchaseOption> = []) async throws -> PurchaseResult {
    var order = PurchaseOrder(
      productId: id, intendedAt: CurrentDevice.intendedAt, offer: try PurchaseOption.offer(of: options))
    for option in options { option.apply(to: &order) }
    do {
      switch try await daemon.purchase(order) {
      case .success(let transaction): return .success(VerificationResult(transaction, on: daemon))
      case .pending: return .pending
      case .userCancelled: return .userCancelled
      }
    } catch {
      // Apple: a purchase that is made to fail as cancelled ends as one that the customer cancelled.
      if case .simulated(.userCancelled) = error { return .userCancelled }
      if case .simulated(.purchase(let failure)) = error { throw PurchaseError(failure) }
      if case .refused(let refusal, _) = error, let reason = PurchaseError(refusal) { throw reason }
      throw StoreKitError(error)
    }
  }

  // The forms with a scene, view controller or window take whatever stands for one in the code: there is no screen.

  @MainActor public func purchase<Scene>(
    confirmIn scene: Scene, options: Set<PurchaseOption> = []
  ) async throws -> PurchaseResult {
    try await purchase(options: options)
  }

  @nonexhaustive public enum PurchaseError: Error, Hashable {
    case invalidQuantity
    case productUnavailable
    case purchaseNotAllowed
    case ineligibleForOffer
    case invalidOfferIdentifier
    case invalidOfferPrice
    case invalidOfferSignature
    case missingOfferParameters
  }
}

extension Product.PurchaseError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .invalidQuantity: "This quantity cannot be bought."
    case .productUnavailable: "Item Unavailable"
    case .purchaseNotAllowed: "This account may not make purchases."
    case .ineligibleForOffer: "This account is not eligible for the offer."
    case .invalidOfferIdentifier: "The product has no offer with this identifier."
    case .invalidOfferPrice: "The price of the offer is not valid."
    case .invalidOfferSignature: "The signature of the offer is not valid."
    case .missingOfferParameters: "Parameters of the offer are missing."
    }
  }

  public var failureReason: String? {
    switch self {
    case .invalidQuantity: "Only consumables and non-renewing subscriptions come in numbers, up to 10."
    case .productUnavailable: "The store does not sell it, or not to this account."
    case .purchaseNotAllowed: "The account's settings do not allow it."
    case .ineligibleForOffer: "The offer is for others, or the purchase asks for several offers at once."
    case .invalidOfferIdentifier: "No offer of the product has this identifier."
    case .invalidOfferPrice: "The price that the app gave is not that of the offer."
    case .invalidOfferSignature: "The store could not verify the signature, or it was used before."
    case .missingOfferParameters: "The purchase lacks a part of what the offer needs."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .invalidQuantity: "Choose another quantity."
    case .invalidOfferSignature: "Ask the app's server for a new signature."
    case .ineligibleForOffer: "Buy without the offer."
    default: nil
    }
  }
}
