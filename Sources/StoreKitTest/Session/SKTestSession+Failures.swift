import Synchronization
import Wire

extension SKTestSession {
  /// Makes a part of StoreKit fail from now on, on every device; nil ends it.
  public func setSimulatedError<API: FailableStoreKitAPI>(_ error: API.Failure?, forAPI api: API) async throws {
    let (world, part) = (world, try part(api))
    let source = error as? any SimulatedFailureSource
    _ = try await world.offPool { world.setFailure(source, of: part) }
  }

  /// The failure that was set, if any.
  public func simulatedError<API: FailableStoreKitAPI>(forAPI api: API) async -> API.Failure? {
    guard let part = try? part(api) else { return nil }
    return world.state.withLock { $0.failures[part] } as? API.Failure
  }

  private func part(_ api: some FailableStoreKitAPI) throws -> FailableAPI {
    guard let known = api as? any KnownStoreKitAPI else {
      throw SKTestError(.invalidAction, "'\(type(of: api))' is no part of StoreKit that can fail")
    }
    return known.api
  }
}
