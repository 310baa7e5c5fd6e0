package import Wire

/// A notification that the developer's server was sent; what is nil may be anything.
package struct NotificationExpectation: Sendable, Hashable {
  package var type: String
  package var subtype: String?
  package var account: String?
  package var state: NotificationEntry.State?
  /// How many there are; nil for one or more.
  package var count: Int?

  func matches(_ entry: NotificationEntry) -> Bool {
    entry.notificationType == type && (subtype == nil || entry.subtype == subtype)
      && (account == nil || entry.account == account) && (state == nil || entry.state == state)
  }

  var text: String {
    let whose = account.map { " of \($0)" } ?? ""
    return (count.map { "\($0) × " } ?? "") + type + (subtype.map { " \($0)" } ?? "") + whose
      + (state.map { ", \($0.rawValue)" } ?? "")
  }
}
