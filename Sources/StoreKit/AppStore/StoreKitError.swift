public import Foundation

/// Why StoreKit did not do it.
public enum StoreKitError: Error, Sendable {
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
}
