import Foundation
import SQLite
import Shared
import Wire

/// What a world's notifications are kept in: a row each, at its number.
extension SQLiteJournalTables {
  /// Inside a transaction of the caller.
  func store(_ notifications: [StoredNotification], of actor: Int64) throws(SQLiteError) {
    let insert = try database.statement("INSERT OR REPLACE INTO notifications VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for notification in notifications {
      guard notification.number <= RowPosition.maximumCount else {
        throw tooMany("notifications of one world", Int64(RowPosition.maximumCount))
      }
      try insert.run(
        RowPosition.at(actor, notification.number), actor, notification.at.milliseconds, notification.type,
        notification.subtype, Int64(bitPattern: notification.customer), Int64(notification.isDelivered ? 1 : 0),
        Int64(notification.isOpen ? 1 : 0), Int64(clamping: notification.payloadSequence),
        WireJSON.encode(notification.body))
    }
  }

  func notifications(
    of actor: ActorAddress, matching query: NotificationQuery
  ) throws(SQLiteError) -> NotificationPage {
    guard let actor = try id(of: actor) else { return NotificationPage() }
    let select = try database.statement(
      """
      SELECT n.position, n.at, type, subtype, customer, delivered, open, payload, n.body, e.body
      FROM notifications AS n LEFT JOIN events AS e ON payload > 0 AND e.position = (n.actor << 32 | payload)
      WHERE n.position > ? AND n.position <= ? AND n.at >= ? AND n.at <= ? AND type = coalesce(?, type)
        AND coalesce(subtype, '') = coalesce(?, subtype, '') AND customer = coalesce(?, customer)
        AND delivered <= ? AND payload >= ?
      ORDER BY n.position LIMIT ?
      """)
    var page = NotificationPage()
    try select.forEachRow(
      RowPosition.at(actor, query.after), RowPosition.last(actor), query.from?.milliseconds ?? .min,
      query.until?.milliseconds ?? .max, query.type, query.subtype, query.customer.map { Int64(bitPattern: $0) },
      Int64(query.onlyFailures ? 0 : 1), Int64(query.onlySigned ? 1 : 0), Int64(max(0, query.limit)) + 1
    ) { row in
      guard page.notifications.count < query.limit else { return page.hasMore = true }
      if let notification = row.notification { page.notifications.append(notification) }
    }
    return page
  }

  /// The worlds that have notifications which are still to be tried.
  func notifyingWorlds() throws(SQLiteError) -> [String] {
    var worlds: [String] = []
    try database.statement(
      """
      SELECT DISTINCT world FROM actors WHERE id IN (SELECT actor FROM notifications WHERE open = 1) ORDER BY world
      """
    ).forEachRow { row in worlds.append(row.string(0)) }
    return worlds
  }
}

extension SQLiteRow {
  /// Nil for a row that is damaged.
  fileprivate var notification: StoredNotification? {
    guard let body = try? JSONDecoder().decode(StoredNotification.Body.self, from: data(8)) else { return nil }
    return StoredNotification(
      number: RowPosition.count(int64(0)), at: StoreTime(milliseconds: int64(1)), type: string(2),
      subtype: isNull(3) ? nil : string(3), customer: UInt64(bitPattern: int64(4)), isDelivered: int64(5) != 0,
      isOpen: int64(6) != 0, payloadSequence: uint64(7), body: body, payloadEvent: isNull(9) ? nil : data(9))
  }
}
