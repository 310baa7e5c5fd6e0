import ClientNode
public import Foundation
import Shared
import Wire

// At Apple a sheet asks the customer for a reason. There is no screen here: the request goes to the store at once, which
// grants or declines it when it is told to. The forms with a scene take whatever stands for one in the code.
extension Transaction {
  @nonexhaustive public enum RefundRequestStatus: Hashable, Sendable {
    /// The request was made; whether there is money back is decided later.
    case success
    case userCancelled
  }

  @nonexhaustive public enum RefundRequestError: Error, Hashable {
    case duplicateRequest
    case failed
  }

  /// Asks for money back for this transaction.
  /// - Throws: `RefundRequestError` or `StoreKitError`.
  public func beginRefundRequest() async throws -> RefundRequestStatus {
    try await Transaction.requestRefund(of: content.recordId, on: content.daemon)
  }

  public func beginRefundRequest<Scene>(in scene: Scene) async throws -> RefundRequestStatus {
    try await beginRefundRequest()
  }

  @MainActor public static func beginRefundRequest(for transactionID: UInt64) async throws -> RefundRequestStatus {
    try await requestRefund(of: TransactionID(transactionID), on: CurrentDevice.orThrow())
  }

  @MainActor public static func beginRefundRequest<Scene>(
    for transactionID: UInt64, in scene: Scene
  ) async throws -> RefundRequestStatus {
    try await beginRefundRequest(for: transactionID)
  }

  private static func requestRefund(
    of id: TransactionID, on daemon: any StoreDaemon
  ) async throws -> RefundRequestStatus {
    do {
      try await daemon.requestRefund(id)
      return .success
    } catch {
      switch error {
      case .refused(.alreadyRefunded, _), .refused(.duplicateRefundRequest, _):
        throw RefundRequestError.duplicateRequest
      case .refused: throw RefundRequestError.failed
      default: throw StoreKitError(error)
      }
    }
  }
}

extension Transaction.RefundRequestError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .duplicateRequest: "A refund for this purchase has been asked for already."
    case .failed: "The refund could not be asked for."
    }
  }

  public var failureReason: String? {
    switch self {
    case .duplicateRequest: "The store has a request for it, or has given the money back."
    case .failed: "The store does not take the request."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .duplicateRequest: nil
    case .failed: "Try again later."
    }
  }
}
