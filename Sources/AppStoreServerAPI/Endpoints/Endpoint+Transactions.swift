import Foundation
import HTTPServer
import ServerNode
import Shared
import Wire

/// Endpoints about one transaction.
extension Endpoint {
  static let transactions = [
    Endpoint(.get, "/inApps/v1/transactions/{id}") { call in
      let known = try await call.transaction(at: "id")
      if let kept = known.answer as? KeptBody { return HTTPResponse(body: .kept(kept)) }
      let kept = APIAnswer.kept(SignedTransactionAnswer.body(try await call.signed([.transaction(known.record)])[0]))
      known.answer = kept
      return HTTPResponse(body: .kept(kept))
    },
    Endpoint(.get, "/inApps/v1/transactions/appTransactions/{id}") { call in
      let owner = try await call.owner()
      var payload = AppTransactionPayload(
        appTransactionId: owner.appTransactionId, identity: call.world.identity, signedDate: try await call.clock())
      payload.appAppleId = call.world.identity.appAppleId
      let signed = try call.node.sign(payload.json(), for: call.world.name)
      return APIAnswer.object(capacity: signed.count + 64) {
        $0.put("signedAppTransactionInfo", String(decoding: signed, as: UTF8.self))
      }
    },
    Endpoint(.post, "/inApps/v1/transactions/{id}/finish") { call in
      let known = try await call.transaction(at: "id")
      _ = try await call.mapping([.unknownTransaction: .transactionIdNotFound]) { () throws(WireError) in
        try await call.node.ask(Finish(transactionIds: [known.record.transactionId]), of: known.account)
      }
      return HTTPResponse()
    },
    Endpoint(.put, "/inApps/v1/transactions/{id}/appAccountToken") { call in
      let known = try await call.transaction(at: "id", app: .transactionIdIsNotOriginalTransactionId)
      guard let token = try APIBody(call.request)["appAccountToken"]?.string.flatMap(UUID.init) else {
        throw APIError.invalidAppAccountTokenUUID
      }
      guard known.record.inAppOwnershipType == .purchased else { throw APIError.familyTransactionNotSupported }
      let id = known.record.transactionId
      guard id == known.record.originalTransactionId else { throw APIError.transactionIdIsNotOriginalTransactionId }
      _ = try await call.mapping([
        .notOriginalTransaction: .transactionIdIsNotOriginalTransactionId,
        .unknownTransaction: .transactionIdNotFound, .notYours: .familyTransactionNotSupported,
      ]) { () throws(WireError) in
        try await call.node.ask(
          SetAppAccountToken(originalTransactionId: id, appAccountToken: token), of: known.account)
      }
      return HTTPResponse()
    },
    Endpoint(.get, "/inApps/v1/lookup/{id}", .lookUp) { call in
      guard let id = OrderID.transaction(call.request.parameters["id"] ?? "") else {
        throw APIError.generalBadRequest
      }
      // Apple has it in production alone.
      guard call.base == .production, let known = try await call.find(id),
        known.record.inAppOwnershipType == .purchased
      else {
        return APIAnswer.object {
          $0.put("status", 1)
          $0.putAll("signedTransactions", [String]())
        }
      }
      let signed = try await call.signed([known.record])
      return APIAnswer.object(capacity: 8_192) {
        $0.put("status", 0)
        $0.putAll("signedTransactions", signed)
      }
    },
  ]
}
