/// Some notifications, and whether there are more behind them.
package struct NotificationPage: Hashable, Sendable {
  package var notifications: [StoredNotification]
  package var hasMore: Bool

  package init(notifications: [StoredNotification] = [], hasMore: Bool = false) {
    self.notifications = notifications
    self.hasMore = hasMore
  }
}
