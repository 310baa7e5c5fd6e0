import Shared
public import StoreKit
import Wire

/// The ways in which parts of StoreKit fail when a test wants it.
///
/// Apple: https://developer.apple.com/documentation/storekittest/sktestfailures
public enum SKTestFailures {
  public enum LoadProducts: Error {
    case generic(StoreKitError)
  }

  public enum AppStoreSync: Error {
    case generic(StoreKitError)
  }

  public enum SubscriptionStatus: Error {
    case generic(StoreKitError)
  }

  public enum AppTransaction: Error {
    case generic(StoreKitError)
  }

  public enum ManageSubscriptions: Error {
    case generic(StoreKitError)
  }

  public enum OfferCodeRedeem: Error {
    case generic(StoreKitError)
  }

  public enum Purchase: Error {
    case generic(StoreKitError)
    case purchase(Product.PurchaseError)
  }

  public enum RefundRequest: Error {
    case generic(StoreKitError)
    case refundRequest(Transaction.RefundRequestError)
  }

  public enum Verification: Error {
    /// Shows as `.invalidSignature`: what is delivered is unverified in some way, and this names none.
    case generic(StoreKitError)
    case verification(VerificationResult<Transaction>.VerificationError)
  }
}

extension SKTestFailures.LoadProducts: SimulatedFailureSource, Equatable {
  var failure: SimulatedFailure {
    switch self {
    case .generic(let error): SimulatedFailure(error)
    }
  }

  public static func == (left: Self, right: Self) -> Bool { left.failure == right.failure }
}

extension SKTestFailures.AppStoreSync: SimulatedFailureSource, Equatable {
  var failure: SimulatedFailure {
    switch self {
    case .generic(let error): SimulatedFailure(error)
    }
  }

  public static func == (left: Self, right: Self) -> Bool { left.failure == right.failure }
}

extension SKTestFailures.SubscriptionStatus: SimulatedFailureSource, Equatable {
  var failure: SimulatedFailure {
    switch self {
    case .generic(let error): SimulatedFailure(error)
    }
  }

  public static func == (left: Self, right: Self) -> Bool { left.failure == right.failure }
}

extension SKTestFailures.AppTransaction: SimulatedFailureSource, Equatable {
  var failure: SimulatedFailure {
    switch self {
    case .generic(let error): SimulatedFailure(error)
    }
  }

  public static func == (left: Self, right: Self) -> Bool { left.failure == right.failure }
}

extension SKTestFailures.ManageSubscriptions: SimulatedFailureSource, Equatable {
  var failure: SimulatedFailure {
    switch self {
    case .generic(let error): SimulatedFailure(error)
    }
  }

  public static func == (left: Self, right: Self) -> Bool { left.failure == right.failure }
}

extension SKTestFailures.OfferCodeRedeem: SimulatedFailureSource, Equatable {
  var failure: SimulatedFailure {
    switch self {
    case .generic(let error): SimulatedFailure(error)
    }
  }

  public static func == (left: Self, right: Self) -> Bool { left.failure == right.failure }
}

extension SKTestFailures.Purchase: SimulatedFailureSource, Equatable {
  var failure: SimulatedFailure {
    switch self {
    case .generic(let error): SimulatedFailure(error)
    case .purchase(let error): .purchase(SimulatedFailure.PurchaseFailure(rawValue: "\(error)") ?? .productUnavailable)
    }
  }

  public static func == (left: Self, right: Self) -> Bool { left.failure == right.failure }
}

extension SKTestFailures.RefundRequest: SimulatedFailureSource, Equatable {
  var failure: SimulatedFailure {
    switch self {
    case .generic(let error): SimulatedFailure(error)
    case .refundRequest(let error):
      .refundRequest(SimulatedFailure.RefundRequestFailure(rawValue: "\(error)") ?? .failed)
    }
  }

  public static func == (left: Self, right: Self) -> Bool { left.failure == right.failure }
}

extension SKTestFailures.Verification: SimulatedFailureSource, Equatable {
  var failure: SimulatedFailure {
    switch self {
    case .generic: .verification(.invalidSignature)
    case .verification(let error): .verification(VerificationFailure(rawValue: "\(error)") ?? .invalidSignature)
    }
  }

  public static func == (left: Self, right: Self) -> Bool { left.failure == right.failure }
}

extension SimulatedFailure {
  init(_ error: StoreKitError) {
    self =
      switch error {
      case .userCancelled: .userCancelled
      case .networkError(let error): .networkError(code: error.code.rawValue)
      case .systemError: .systemError
      case .notAvailableInStorefront: .notAvailableInStorefront
      case .notEntitled: .notEntitled
      case .unsupported: .unsupported
      case .unknown: .unknown
      }
  }
}
