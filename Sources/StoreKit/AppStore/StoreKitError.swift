public import Foundation

/// Why StoreKit did not do it.
@nonexhaustive public enum StoreKitError: Error, Sendable {
  case unknown
  case userCancelled
  case networkError(URLError)
  case systemError(any Error)
  case notAvailableInStorefront
  case notEntitled
  case unsupported
}

extension StoreKitError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .unknown: "The App Store could not do this."
    case .userCancelled: "The request was cancelled."
    case .networkError: "The App Store cannot be reached: this device is offline, or the store did not answer in time."
    // An error with no text of its own would read "The operation could not be completed".
    case .systemError(let error): (error as? any LocalizedError)?.errorDescription ?? "\(error)"
    case .notAvailableInStorefront: "This product is not available in this country's App Store."
    case .notEntitled: "This app is not allowed to use this part of StoreKit."
    case .unsupported: "This is not supported here."
    }
  }

  public var failureReason: String? {
    switch self {
    case .unknown: "The store gave no reason."
    case .userCancelled: "The customer cancelled."
    case .networkError(let error): error.localizedDescription
    case .systemError(let error): (error as? any LocalizedError)?.failureReason
    case .notAvailableInStorefront: "The product is not sold in the account's storefront."
    case .notEntitled: "The app has no entitlement for it."
    case .unsupported: "The store does not offer it to this app."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .unknown, .userCancelled: "Try again."
    case .networkError: "Check the connection and try again."
    case .systemError(let error): (error as? any LocalizedError)?.recoverySuggestion
    case .notAvailableInStorefront, .notEntitled, .unsupported: nil
    }
  }
}
