package import Shared

/// The body of Get Notification History, and the token of its page.
package struct NotificationQuery: Hashable, Sendable {
  /// Apple: 180 days; the boundary is still allowed.
  package static let longestMilliseconds: Int64 = 180 * 86_400_000

  package var startDate: StoreTime
  /// Never in the future.
  package var endDate: StoreTime
  /// Apple: notificationType.
  package var type: String?
  package var subtype: String?
  package var transactionId: TransactionID?
  package var onlyFailures: Bool
  package var paginationToken: String?

  /// - Parameter now: What the world's clock shows.
  init(_ body: APIBody, paginationToken: String?, now: StoreTime) throws(APIError) {
    guard let start = body["startDate"]?.integer, start >= 0 else { throw .invalidStartDate }
    guard let end = body["endDate"]?.integer, end >= 0 else { throw .invalidEndDate }
    startDate = StoreTime(milliseconds: start)
    endDate = min(StoreTime(milliseconds: end), now)
    guard startDate >= now.advanced(by: -NotificationQuery.longestMilliseconds) else { throw .startDateTooFarInPast }
    guard startDate < endDate else { throw .startDateAfterEndDate }

    type = try NotificationQuery.word(body, "notificationType")
    subtype = try NotificationQuery.word(body, "notificationSubtype")
    guard type != nil || subtype == nil else { throw .invalidNotificationType }
    if let id = body["transactionId"] {
      guard type == nil else { throw .multipleFiltersSupplied }
      guard case .transaction(let id)? = APITransactionID(id.string) else { throw .invalidTransactionId }
      transactionId = id
    }
    if let flag = body["onlyFailures"] {
      guard let flag = flag.boolean else { throw .generalBadRequest }
      onlyFailures = flag
    } else {
      onlyFailures = false
    }
    if let paginationToken {
      guard (1...1_024).contains(paginationToken.utf8.count) else { throw .invalidPaginationToken }
      self.paginationToken = paginationToken
    }
  }

  /// Capital letters and `_`: types that are new are no mistake.
  private static func word(_ body: APIBody, _ name: String) throws(APIError) -> String? {
    guard let value = body[name] else { return nil }
    guard let word = value.string, (1...64).contains(word.utf8.count),
      word.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: "_") })
    else { throw .invalidNotificationType }
    return word
  }
}
