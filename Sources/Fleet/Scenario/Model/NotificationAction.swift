package import Wire

/// What a step does about what the developer's server is told.
package enum NotificationAction: Sendable, Hashable {
  /// Nil: nowhere.
  case sendTo(String?)
  case test
  case fault(NotificationFault?)
}
