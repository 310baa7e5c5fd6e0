import ClientNode

extension AppStore {
  /// Returns once the local store has loaded in this launch, so that an empty `Transaction.currentEntitlements` means that
  /// nothing is owned.
  /// - Throws: `StoreKitError`, offline and without anything stored.
  package static func load() async throws {
    let daemon = try CurrentDevice.orThrow()
    do {
      try await daemon.load()
    } catch {
      throw StoreKitError(error)
    }
  }
}
