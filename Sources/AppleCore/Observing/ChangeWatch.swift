import Observation

/// Lets `withObservationTracking` see the reading and writing of a `@Published` property, so that a device's screen is
/// read again when one changes. Apple's are not seen by it; code that does not use it notices nothing.
///
/// A class that is not generic, as key paths into a generic one are made anew at each use.
final class ChangeWatch: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private var change: Void { () }

  func noteReading() { registrar.access(self, keyPath: \.change) }

  /// Told once the new value is there: whoever is told may read it at once, on any thread.
  func noteChange() { registrar.withMutation(of: self, keyPath: \.change) {} }
}
