import HTTPServer
import ServerNode
import Shared
import Wire

extension Endpoint {
  static let consumption = [
    Endpoint(.put, "/inApps/v1/transactions/consumption/{id}") { call in
      try await call.tellConsumption { body throws(APIError) in .v1(try ConsumptionBody.v1(body)) }
    },
    Endpoint(.put, "/inApps/v2/transactions/consumption/{id}") { call in
      try await call.tellConsumption { body throws(APIError) in .v2(try ConsumptionBody.v2(body)) }
    },
  ]
}

extension APICall {
  /// Apple takes what it is told also when nobody asks for money back any more; then nothing comes of it.
  fileprivate func tellConsumption(
    _ read: (APIBody) throws(APIError) -> ConsumptionInformation
  ) async throws -> HTTPResponse {
    let known = try await transaction(at: "id", app: .invalidTransactionId)
    let information = try read(try APIBody(request))
    guard [.consumable, .autoRenewable].contains(known.record.type) else {
      throw APIError.transactionTypeNotSupported
    }
    let message = SendConsumptionInformation(
      transactionId: known.record.transactionId, information: information)
    do { _ = try await node.ask(message, of: known.account) } catch {
      switch error.refusal {
      case .noRefundRequest: break
      case .transactionTypeNotSupported: throw APIError.transactionTypeNotSupported
      case .unknownTransaction: throw APIError.transactionIdNotFound
      default: throw error
      }
    }
    return HTTPResponse(status: .accepted)
  }
}
