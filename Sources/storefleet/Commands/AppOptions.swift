import Fleet
import Foundation

/// Which app runs on the devices, for the commands that start some.
enum AppOptions {
  private static let app = Option(
    "app", value: "PATH",
    help: "your own app, an executable with a DeviceApp, instead of the built-in one; a process a device")
  private static let devicesPerProcess = Option(
    "devices-per-process", value: "K", help: "with --app: so many devices share a process")

  static let all = [app, devicesPerProcess]

  /// Nil for the built-in app. Says what a person should know before it runs.
  static func read(_ arguments: Arguments) throws -> AppExecutable? {
    let perProcess = try arguments.integer(devicesPerProcess, in: 1...100_000)
    guard let path = arguments.value(app) else {
      guard perProcess == nil else {
        throw UsageError("--devices-per-process is about an app of yours: add --app PATH")
      }
      return nil
    }
    do throws(FleetError) {
      let app = try AppExecutable(path: path, devicesPerProcess: perProcess ?? 1)
      note(app)
      return app
    } catch {
      throw CommandFailure(error.message, exitCode: .failed)
    }
  }

  /// Says once what a person should know of an app's processes.
  static func note(_ app: AppExecutable) {
    if Faketime.library == nil { StandardError.print("storefleet: \(Faketime.absence)") }
    if let sharing = app.sharing { StandardError.print("storefleet: \(sharing)") }
  }
}
