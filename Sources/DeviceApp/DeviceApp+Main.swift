extension DeviceApp {
  /// Makes the executable whose `@main` the app is a client node: `storefleet up --app PATH` starts it, a process a device.
  ///
  /// ```swift
  /// @main final class MyApp: DeviceApp {
  ///   let store = PurchaseManager()
  ///   var screen: DeviceScreen { DeviceScreen(access: store.isPro ? .unlocked : .locked) }
  /// }
  /// ```
  ///
  /// Each process has a home folder of its own, and so its own `UserDefaults`; what was set is saved twice a second, so a
  /// kill loses no more than a phone would. The main actor is on the main thread. `Date()` is the world's time plus the
  /// device's skew, when libfaketime is installed.
  public static func main() { DeviceProcess.run(Self.self) }
}
