public import Foundation
import StoreKit
import Wire

public let SKTestErrorDomain = "SKTestErrorDomain"

/// Why the test environment did not do it. The description is a sentence for people.
public struct SKTestError: CustomNSError, LocalizedError, Hashable {
  @nonexhaustive public enum Code: Int, Hashable, Sendable {
    case unknown
    case fileNotFound
    case invalidAction
    case invalidProductIdentifier
    case invalidProductType
    case invalidURL
    case noSubscriptionFound
    case noTransactionFound
    case serviceUnavailable

    public static func ~= (code: Code, error: any Error) -> Bool { (error as? SKTestError)?.code == code }
  }

  public let code: Code
  private let message: String
  /// What StoreKit throws for it where it is about an offer or a quantity.
  let purchaseError: Product.PurchaseError?

  public init(_ code: Code, userInfo: [String: String] = [:]) {
    self.code = code
    purchaseError = nil
    message = userInfo[NSLocalizedDescriptionKey] ?? "StoreKit Testing failed: \(code)."
  }

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
    purchaseError = nil
  }

  /// What the store says no to, in this environment's words.
  init(_ error: WireError) {
    code =
      switch error.refusal {
      case .productUnavailable: .invalidProductIdentifier
      case .notASubscription: .invalidProductType
      case .unknownTransaction: .noTransactionFound
      case .wrongState: .noSubscriptionFound
      case nil: error.code == .badBody ? .invalidAction : .serviceUnavailable
      default: .invalidAction
      }
    message = error.message
    purchaseError = error.refusal == .productUnavailable ? nil : error.refusal.flatMap(Product.PurchaseError.init)
  }

  public static var errorDomain: String { SKTestErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
  public var errorDescription: String? { message }

  // As Apple's importer gives them, for `catch SKTestError.noTransactionFound`.

  public static var fileNotFound: Code { .fileNotFound }
  public static var invalidAction: Code { .invalidAction }
  public static var invalidProductIdentifier: Code { .invalidProductIdentifier }
  public static var invalidProductType: Code { .invalidProductType }
  public static var invalidURL: Code { .invalidURL }
  public static var noSubscriptionFound: Code { .noSubscriptionFound }
  public static var noTransactionFound: Code { .noTransactionFound }
  public static var serviceUnavailable: Code { .serviceUnavailable }
}

extension SKTestError: CustomStringConvertible {
  public var description: String { message }
}
