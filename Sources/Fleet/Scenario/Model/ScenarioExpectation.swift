/// What must be so, now or soon.
package enum ScenarioExpectation: Sendable, Hashable {
  case devices([String], DeviceExpectation)
  /// What the developer's backend hears of a user.
  case user(String, entitledTo: [String])
  case family(String, members: [String])
  case notification(NotificationExpectation)
  /// Exactly these devices disagree with the ledger.
  case disagree([String])

  package static let defaultDeadline = Duration.seconds(10)
}
