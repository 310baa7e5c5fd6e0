public import Foundation

/// Whether the app is in front. Here it always is.
@nonexhaustive public enum ScenePhase: Comparable, Hashable, Sendable {
  case background
  case inactive
  case active
}

/// Closes what is shown: nothing.
public struct DismissAction: Sendable {
  public func callAsFunction() {}
}

extension EnvironmentValues {
  public var scenePhase: ScenePhase { .active }
  public var dismiss: DismissAction { DismissAction() }
  public var locale: Locale { .current }
  public var calendar: Calendar { .current }
  public var timeZone: TimeZone { .current }
}
