import ClientNode

/// Opens the store of the process, with nothing to sell, for code that calls StoreKit before the first session is made.
/// Found by its name, since nothing in such code refers to StoreKitTest.
final class TestProcess: DeviceSource {
  static func openDevice() {
    // Among tests that have a store each, code that has lost its own is not to find an empty one.
    guard !TestWorld.hasScoped else { return }
    do {
      _ = try TestWorld.current(.empty)
    } catch {
      TestWorld.log("the store of this process could not be opened: \(error)")
    }
  }
}
