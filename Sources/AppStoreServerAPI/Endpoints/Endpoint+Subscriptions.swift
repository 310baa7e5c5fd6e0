import HTTPServer
import Shared
import Wire

extension Endpoint {
  static let subscriptions = [
    Endpoint(.get, "/inApps/v1/subscriptions/{id}") { call in
      let owner = try await call.owner()
      let wanted = try call.wantedStatuses()
      let known = try await call.node.ask(GetSubscriptions(), of: owner.account).subscriptions
      let chosen = known.filter { wanted?.contains($0.renewalInfo.status.rawValue) ?? true }
      let copies = try await call.signed(
        chosen.flatMap { [SignedSubject.transaction($0.transaction), .renewalInfo($0.renewalInfo)] })
      var groups: [String: [LastTransaction]] = [:]
      for (place, subscription) in chosen.enumerated() {
        let info = subscription.renewalInfo
        groups[info.subscriptionGroupIdentifier, default: []].append(
          LastTransaction(
            originalTransactionId: info.originalTransactionId, status: info.status.rawValue,
            signedTransactionInfo: String(decoding: copies[2 * place], as: UTF8.self),
            signedRenewalInfo: String(decoding: copies[2 * place + 1], as: UTF8.self)))
      }
      let sorted = groups.sorted { $0.key < $1.key }
      return APIAnswer.object(capacity: 256 + 10_000 * known.count) {
        $0.put("environment", call.world.identity.environment)
        $0.put("bundleId", call.world.identity.bundleId)
        $0.put("appAppleId", call.world.identity.appAppleId)
        $0.putAll("data", objects: sorted) { group, json in
          json.put("subscriptionGroupIdentifier", group.key)
          json.putAll("lastTransactions", objects: group.value) { $0.write(to: &$1) }
        }
      }
    }
  ]
}

/// The last state of one subscription.
private struct LastTransaction {
  var originalTransactionId: TransactionID
  var status: Int
  var signedTransactionInfo: String
  var signedRenewalInfo: String

  func write(to json: inout JSONObjectWriter) {
    json.put("originalTransactionId", originalTransactionId)
    json.put("status", status)
    json.put("signedTransactionInfo", signedTransactionInfo)
    json.put("signedRenewalInfo", signedRenewalInfo)
  }
}

extension APICall {
  /// Nil for all.
  fileprivate func wantedStatuses() throws(APIError) -> Set<Int>? {
    let texts = request.queryValues("status")
    var wanted: Set<Int> = []
    for text in texts {
      guard let status = Int(text), (1...5).contains(status) else { throw .invalidStatus }
      wanted.insert(status)
    }
    return texts.isEmpty ? nil : wanted
  }
}
