package import Foundation

/// What the store signs as a notification (Apple: responseBodyV2DecodedPayload). The signed data in it is signed before.
package struct NotificationPayload: Hashable, Sendable {
  /// Exactly one of them is in a payload.
  package enum Content: Hashable, Sendable {
    case data(NotificationData)
    case summary(ExtensionSummary)
  }

  package var type: NotificationType
  package var subtype: NotificationSubtype?
  package var notificationUUID: UUID
  package var signedDate: StoreTime
  package var identity: StoreIdentity
  /// In production only.
  package var appAppleId: Int64?
  package var content: Content

  package init(
    type: NotificationType, subtype: NotificationSubtype?, notificationUUID: UUID, signedDate: StoreTime,
    identity: StoreIdentity, appAppleId: Int64?, content: Content
  ) {
    self.type = type
    self.subtype = subtype
    self.notificationUUID = notificationUUID
    self.signedDate = signedDate
    self.identity = identity
    self.appAppleId = appAppleId
    self.content = content
  }

  /// Apple: the `version` of all notifications of this kind.
  package static let version = "2.0"

  package func json() -> Data {
    var json = JSONObjectWriter(capacity: 8_192)
    json.timesHaveFractions = identity.environment == StoreIdentity.xcode
    json.put("notificationType", type.rawValue)
    json.put("subtype", subtype?.rawValue)
    json.put("notificationUUID", notificationUUID.uuidString.lowercased())
    json.put("version", NotificationPayload.version)
    json.put("signedDate", signedDate)
    switch content {
    case .data(let data): json.put("data", object: { write(data, to: &$0) })
    case .summary(let summary): json.put("summary", object: { write(summary, to: &$0) })
    }
    return json.finish()
  }

  private func write(_ data: NotificationData, to json: inout JSONObjectWriter) {
    writeApp(to: &json)
    json.put("bundleVersion", data.bundleVersion)
    json.put("signedTransactionInfo", data.signedTransactionInfo)
    json.put("signedRenewalInfo", data.signedRenewalInfo)
    json.put("status", data.status)
    json.put("consumptionRequestReason", data.consumptionRequestReason)
  }

  private func write(_ summary: ExtensionSummary, to json: inout JSONObjectWriter) {
    writeApp(to: &json)
    json.put("requestIdentifier", summary.requestIdentifier)
    json.put("productId", summary.productId)
    // Absent when the extension was for all storefronts.
    json.put("storefrontCountryCodes", summary.storefrontCountryCodes)
    json.put("succeededCount", summary.succeededCount)
    json.put("failedCount", summary.failedCount)
  }

  private func writeApp(to json: inout JSONObjectWriter) {
    json.put("appAppleId", appAppleId)
    json.put("bundleId", identity.bundleId)
    json.put("environment", identity.environment)
  }
}
