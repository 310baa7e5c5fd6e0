import Fleet
import Foundation

/// A user's own app: an executable whose `@main` is a `DeviceApp`.
public struct FleetApp: Hashable, Sendable {
  let path: String
  let devicesPerProcess: Int
  let environment: [String: String]

  /// - Parameters:
  ///   - path: a path, or the name of an executable product beside the tests' own bundle: what a test target gets that
  ///     depends on the app's target.
  ///   - devicesPerProcess: more than 1 packs devices into processes. They then share the home folder, `UserDefaults`,
  ///     singletons and the main actor.
  ///   - environment: what the app finds in its environment.
  public static func executable(
    _ path: String, devicesPerProcess: Int = 1, environment: [String: String] = [:]
  ) -> FleetApp {
    FleetApp(path: path, devicesPerProcess: devicesPerProcess, environment: environment)
  }

  func resolved() throws -> AppExecutable {
    let place = path.contains("/") ? path : StorefleetExecutable.folder + "/" + path
    return try AppExecutable(path: place, devicesPerProcess: devicesPerProcess, environment: environment)
  }
}
