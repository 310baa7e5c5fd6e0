import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// What a receiver of notifications reads.
struct ReceivedNotification: Decodable {
  struct Data: Decodable {
    var appAppleId: Int64?
    var bundleId: String
    var environment: String
    var signedTransactionInfo: String?
    var signedRenewalInfo: String?
    var status: Int?
    var consumptionRequestReason: String?
  }
  var notificationType: String
  var subtype: String?
  var notificationUUID: UUID
  var version: String
  var signedDate: Int64
  var data: Data?
  var summary: ExtensionSummaryBody?

  struct ExtensionSummaryBody: Decodable {
    var requestIdentifier: String
    var succeededCount: Int64
  }

  var words: String { notificationType + (subtype.map { " \($0)" } ?? "") }

  /// Of a signed payload, whoever signed it.
  init(_ payload: String) throws {
    self = try JSONDecoder().decode(
      ReceivedNotification.self, from: try CompactJWS(Foundation.Data(payload.utf8)).payloadData)
  }

  static func payload(of post: NotificationPost) throws -> String {
    struct Body: Decodable { var signedPayload: String }
    return try JSONDecoder().decode(Body.self, from: post.body).signedPayload
  }
}

extension StoreHarness {
  static let hook = NotificationURLs(production: NotificationEndpoint(url: "http://127.0.0.1:9/hook"))

  var notifications: ActorAddress { .notifications(of: world) }

  /// What was sent, in order.
  func received() throws -> [ReceivedNotification] {
    try posts.map { try ReceivedNotification(try ReceivedNotification.payload(of: $0)) }
  }

  func entries() throws -> [NotificationEntry] {
    var entries: [NotificationEntry] = []
    while true {
      let page = try ask(ListNotifications(after: entries.last?.number ?? 0), of: notifications)
      entries += page.notifications
      if !page.hasMore { return entries }
    }
  }

  func settle() throws { _ = try ask(Settle(), of: worldAddress) }
}
