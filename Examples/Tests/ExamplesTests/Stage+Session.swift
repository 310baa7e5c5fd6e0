import Foundation
import Observation
import StoreKitTest

extension Stage {
  /// A store of the running test's own, in the process: no fleet, no server.
  static func session() throws -> SKTestSession { try SKTestSession(contentsOf: catalog) }
}

/// Returns when a condition on `@Observable` state holds: a manager learns of things a moment after the store does.
@MainActor func until(_ condition: @MainActor () -> Bool) async {
  while !Task.isCancelled {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    if withObservationTracking(condition, onChange: { continuation.finish() }) { return }
    for await _ in changes {}
  }
}

/// The same for `ObservableObject`: returns when a published value is as wanted.
@MainActor func until<Value: Sendable>(
  _ publisher: Published<Value>.Publisher, is wanted: @escaping @Sendable (Value) -> Bool
) async {
  for await value in publisher.values where wanted(value) { return }
}
