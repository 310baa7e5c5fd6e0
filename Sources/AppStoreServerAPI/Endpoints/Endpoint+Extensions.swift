import HTTPServer
import ServerNode
import Shared
import Wire

extension Endpoint {
  static let extensions = [
    Endpoint(.put, "/inApps/v1/subscriptions/extend/{id}", .extend) { try await $0.extend() },
    Endpoint(.post, "/inApps/v1/subscriptions/extend/mass", .rarely) { try await $0.extendAll() },
    Endpoint(.get, "/inApps/v1/subscriptions/extend/mass/{product}/{request}", .rarely) {
      try await $0.extensionStatus()
    },
  ]
}

extension APICall {
  /// One subscription.
  fileprivate func extend() async throws -> HTTPResponse {
    let known = try await transaction(
      at: "id", malformed: .invalidOriginalTransactionId, app: .invalidOriginalTransactionId,
      missing: .originalTransactionIdNotFound)
    let wanted = try ExtensionRequest(try APIBody(request))
    let lineage = known.record.originalTransactionId
    guard known.record.transactionId == lineage else { throw APIError.originalTransactionIdNotFound }
    guard known.record.type == .autoRenewable else { throw APIError.subscriptionExtensionIneligible }
    // The same identifier again gets what the first time brought, and extends nothing.
    let id = RequestID(named: "extend/\(known.account)/\(lineage)/\(wanted.requestIdentifier)")
    _ = try await mapping([
      .extensionIneligible: .subscriptionExtensionIneligible, .tooManyExtensions: .subscriptionMaxExtension,
      .notYours: .familySharedSubscriptionExtensionIneligible, .unknownTransaction: .originalTransactionIdNotFound,
      .notASubscription: .subscriptionExtensionIneligible,
    ]) { () throws(WireError) in
      try await node.ask(
        ExtendSubscription(originalTransactionId: lineage, days: wanted.days, reason: wanted.reason),
        of: known.account, id: id)
    }
    let subscriptions = try await node.ask(GetSubscriptions(), of: known.account).subscriptions
    guard let extended = subscriptions.first(where: { $0.renewalInfo.originalTransactionId == lineage }) else {
      throw APIError.generalInternalRetryable
    }
    return APIAnswer.object {
      $0.put("originalTransactionId", lineage)
      $0.put("webOrderLineItemId", extended.transaction.webOrderLineItemId)
      $0.put("success", true)
      $0.put("effectiveDate", extended.renewalInfo.renewalDate)
    }
  }

  /// All subscriptions to a product.
  fileprivate func extendAll() async throws -> HTTPResponse {
    let body = try APIBody(request)
    let wanted = try ExtensionRequest(body)
    let storefronts = try ExtensionRequest.storefronts(body)
    let product = try body.text("productId", most: 255, else: .invalidProductId)
    guard world.isServed(at: base) else { throw APIError.appNotFound }
    let order = ExtendAllSubscriptions(
      requestIdentifier: wanted.requestIdentifier, productId: product, days: wanted.days, reason: wanted.reason,
      storefronts: storefronts)
    _ = try await mapping([
      .notASubscription: .invalidProductId, .productUnavailable: .invalidProductId,
      .alreadyExists: .invalidRequestIdentifier,
    ]) { () throws(WireError) in try await node.ask(order, of: world.address) }
    return APIAnswer.object { $0.put("requestIdentifier", wanted.requestIdentifier) }
  }

  fileprivate func extensionStatus() async throws -> HTTPResponse {
    guard let identifier = request.parameters["request"], identifier.count <= ExtensionRequest.longestIdentifier else {
      throw APIError.invalidRequestIdentifier
    }
    guard let product = request.parameters["product"], product.utf8.count <= 255 else {
      throw APIError.invalidProductId
    }
    guard world.isServed(at: base),
      let status = try await node.ask(DescribeExtension(requestIdentifier: identifier), of: world.address).status,
      status.productId == product
    else { throw APIError.statusRequestNotFound }
    return APIAnswer.object {
      $0.put("requestIdentifier", identifier)
      $0.put("complete", status.completed != nil)
      guard let completed = status.completed else { return }
      $0.put("completeDate", completed)
      $0.put("succeededCount", status.succeededCount)
      $0.put("failedCount", status.failedCount)
    }
  }
}
