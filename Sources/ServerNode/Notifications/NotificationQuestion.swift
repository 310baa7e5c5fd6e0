import Foundation
import Shared
import Wire

/// A request that the journal's notifications answer.
struct NotificationQuestion: Sendable {
  enum Kind: Sendable {
    case test(UUID)
    /// - Parameter filters: what all pages of one question have in common.
    case history(filters: UInt64)
    case list(withPayloads: Bool)
  }

  var kind: Kind
  var query: NotificationQuery

  static func test(_ request: GetTestNotificationStatus) throws(WireError) -> NotificationQuestion {
    guard let token = TestNotificationToken(request.testNotificationToken) else {
      throw .refused(
        .badTestNotificationToken,
        "'\(request.testNotificationToken.prefix(100))' is no token of a test notification: "
          + "expected what 'requestTestNotification' gave")
    }
    return NotificationQuestion(kind: .test(token.uuid), query: NotificationQuery(after: token.number - 1, limit: 1))
  }

  static func list(_ request: ListNotifications) -> NotificationQuestion {
    NotificationQuestion(
      kind: .list(withPayloads: request.withPayloads ?? false),
      query: NotificationQuery(after: request.after, limit: max(1, min(request.limit, ListNotifications.mostPerPage))))
  }

  static func history(
    _ request: GetNotificationHistory, _ world: WorldSettings, now: StoreTime
  ) throws(WireError) -> NotificationQuestion {
    let days = world.notificationHistoryDays
    let earliest = now.advanced(by: -days * 24 * OpenNotification.hour)
    guard request.startDate >= earliest else {
      throw .refused(
        .startDateTooFarInPast,
        "the history of notifications goes back \(days) days, to \(earliest): startDate is \(request.startDate)")
    }
    guard request.startDate < request.endDate else {
      throw .refused(.startDateAfterEndDate, "the endDate of a history of notifications comes after its startDate")
    }
    guard request.transactionId == nil || request.notificationType == nil else {
      throw .refused(.multipleFilters, "ask for a customer's notifications or for those of a type, not for both")
    }
    if let type = request.notificationType, NotificationType(rawValue: type) == nil {
      throw .refused(.badNotificationType, "there is no notificationType '\(type.prefix(100))'")
    }
    if let subtype = request.notificationSubtype {
      guard request.notificationType != nil, NotificationSubtype(rawValue: subtype) != nil else {
        throw .refused(
          .badNotificationType,
          "'\(subtype.prefix(100))' is no notificationSubtype, or its notificationType is not said")
      }
    }
    var query = NotificationQuery(
      limit: GetNotificationHistory.mostPerPage, from: request.startDate, until: min(request.endDate, now),
      type: request.notificationType, subtype: request.notificationSubtype,
      onlyFailures: request.onlyFailures ?? false, onlySigned: true)
    if let transaction = request.transactionId { query.customer = try customer(of: transaction) }
    let filters = request.filters
    if let token = request.paginationToken { query.after = try PaginationToken.after(token, filters) }
    return NotificationQuestion(kind: .history(filters: filters), query: query)
  }

  private static func customer(of transaction: String) throws(WireError) -> UInt64 {
    guard let id = TransactionID(transaction), let ordinal = StoreNumbers.ordinal(of: id) else {
      throw .refused(.unknownTransaction, "transaction '\(transaction.prefix(100))' is nobody's in this world")
    }
    return ordinal
  }
}

/// Where a page ends, in a form that nobody takes apart.
enum PaginationToken {
  static func make(after number: UInt64, _ filters: UInt64) -> String {
    Data("\(number).\(filters)".utf8).base64EncodedString()
  }

  static func after(_ token: String, _ filters: UInt64) throws(WireError) -> UInt64 {
    let parts = Data(base64Encoded: token).flatMap { String(data: $0, encoding: .utf8) }?.split(separator: ".") ?? []
    guard parts.count == 2, let number = UInt64(parts[0]), UInt64(parts[1]) == filters else {
      throw .refused(
        .badPaginationToken,
        "the paginationToken is not one of this question: repeat it with the same dates and filters")
    }
    return number
  }
}

extension GetNotificationHistory {
  /// Everything but the place: FNV-1a over its JSON.
  fileprivate var filters: UInt64 {
    var question = self
    question.paginationToken = nil
    return WireJSON.encode(question).fnv1a
  }
}

extension Data {
  /// A hash that stays the same from run to run (FNV-1a, 64 bits).
  var fnv1a: UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in self { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return hash
  }
}
