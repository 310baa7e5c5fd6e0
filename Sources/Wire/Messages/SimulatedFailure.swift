package import Shared

/// A part of StoreKit that can be made to fail, by the names of StoreKitTest's failable APIs.
package enum FailableAPI: String, Codable, Hashable, Sendable, CaseIterable {
  case appStoreSync
  case appTransaction
  case loadProducts
  case manageSubscriptions
  case offerCodeRedeem
  case purchase
  case refundRequest
  case subscriptionStatus
  case verification
}

/// How a part of StoreKit fails when it is made to (Apple: SKTestFailures).
package enum SimulatedFailure: Hashable, Sendable {
  /// `StoreKitError.networkError`; the code is that of a `URLError`.
  case networkError(code: Int)
  case systemError
  case userCancelled
  case notAvailableInStorefront
  case notEntitled
  case unsupported
  case unknown
  /// A `Product.PurchaseError`.
  case purchase(PurchaseFailure)
  /// A `VerificationResult.VerificationError`: what is delivered is unverified.
  case verification(VerificationFailure)
  /// A `Transaction.RefundRequestError`.
  case refundRequest(RefundRequestFailure)

  /// -1009: not connected to the internet.
  package static let offline = SimulatedFailure.networkError(code: -1_009)

  package enum PurchaseFailure: String, Codable, Hashable, Sendable, CaseIterable {
    case invalidQuantity
    case productUnavailable
    case purchaseNotAllowed
    case ineligibleForOffer
    case invalidOfferIdentifier
    case invalidOfferPrice
    case invalidOfferSignature
    case missingOfferParameters
  }

  package enum RefundRequestFailure: String, Codable, Hashable, Sendable, CaseIterable {
    case duplicateRequest
    case failed
  }

  /// Whether StoreKit can fail in this way there.
  package func fits(_ api: FailableAPI) -> Bool {
    switch self {
    case .purchase: api == .purchase
    case .verification: api == .verification
    case .refundRequest: api == .refundRequest
    default: api != .verification
    }
  }

  /// One word: the kind, or the error of an API's own.
  package var name: String {
    switch self {
    case .networkError: "networkError"
    case .systemError: "systemError"
    case .userCancelled: "userCancelled"
    case .notAvailableInStorefront: "notAvailableInStorefront"
    case .notEntitled: "notEntitled"
    case .unsupported: "unsupported"
    case .unknown: "unknown"
    case .purchase(let error): error.rawValue
    case .verification(let error): error.rawValue
    case .refundRequest(let error): error.rawValue
    }
  }

  /// All failures that fit an API, by their names.
  package static func all(of api: FailableAPI) -> [SimulatedFailure] {
    let generic: [SimulatedFailure] = [
      .offline, .systemError, .userCancelled, .notAvailableInStorefront, .notEntitled, .unsupported, .unknown,
    ]
    let own =
      PurchaseFailure.allCases.map { SimulatedFailure.purchase($0) }
      + VerificationFailure.allCases.map { .verification($0) }
      + RefundRequestFailure.allCases.map { .refundRequest($0) }
    return (generic + own).filter { $0.fits(api) }
  }
}

extension SimulatedFailure: Codable {
  private enum Kind: String, Codable {
    case networkError, systemError, userCancelled, notAvailableInStorefront, notEntitled, unsupported, unknown
    case purchase, verification, refundRequest
  }

  private enum Key: String, CodingKey {
    case kind, code, error
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .networkError:
      self = try container.decodeIfPresent(Int.self, forKey: .code).map { .networkError(code: $0) } ?? .offline
    case .systemError: self = .systemError
    case .userCancelled: self = .userCancelled
    case .notAvailableInStorefront: self = .notAvailableInStorefront
    case .notEntitled: self = .notEntitled
    case .unsupported: self = .unsupported
    case .unknown: self = .unknown
    case .purchase: self = .purchase(try container.decode(PurchaseFailure.self, forKey: .error))
    case .verification: self = .verification(try container.decode(VerificationFailure.self, forKey: .error))
    case .refundRequest: self = .refundRequest(try container.decode(RefundRequestFailure.self, forKey: .error))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .networkError(let code):
      try container.encode(Kind.networkError, forKey: .kind)
      try container.encode(code, forKey: .code)
    case .systemError: try container.encode(Kind.systemError, forKey: .kind)
    case .userCancelled: try container.encode(Kind.userCancelled, forKey: .kind)
    case .notAvailableInStorefront: try container.encode(Kind.notAvailableInStorefront, forKey: .kind)
    case .notEntitled: try container.encode(Kind.notEntitled, forKey: .kind)
    case .unsupported: try container.encode(Kind.unsupported, forKey: .kind)
    case .unknown: try container.encode(Kind.unknown, forKey: .kind)
    case .purchase(let error):
      try container.encode(Kind.purchase, forKey: .kind)
      try container.encode(error, forKey: .error)
    case .verification(let error):
      try container.encode(Kind.verification, forKey: .kind)
      try container.encode(error, forKey: .error)
    case .refundRequest(let error):
      try container.encode(Kind.refundRequest, forKey: .kind)
      try container.encode(error, forKey: .error)
    }
  }
}
