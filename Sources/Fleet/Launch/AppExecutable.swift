import Foundation
import Glibc

/// A user's own app: an executable whose main is a `DeviceApp`.
package struct AppExecutable: Hashable, Sendable {
  /// Absolute.
  package let path: String
  /// 1 gives every device a process of its own.
  package let devicesPerProcess: Int
  /// What the app finds in its environment beside the launcher's own.
  package var environment: [String: String]

  /// - Throws: when the path names nothing that can be started.
  package init(
    path: String, devicesPerProcess: Int = 1, environment: [String: String] = [:]
  ) throws(FleetError) {
    self.path = URL(filePath: path).standardizedFileURL.path
    self.devicesPerProcess = max(1, devicesPerProcess)
    self.environment = environment
    var status = stat()
    guard stat(self.path, &status) == 0 else {
      throw FleetError("there is no app '\(path)': name the executable, such as .build/debug/MyApp, and build it first")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FleetError(
        status.st_mode & S_IFMT == S_IFDIR
          ? "the app '\(path)' is a folder: name the executable in it, such as .build/debug/MyApp"
          : "the app '\(path)' is no file: name an executable, such as .build/debug/MyApp")
    }
    guard access(self.path, X_OK) == 0 else {
      throw FleetError("the app '\(path)' may not be executed: name the executable, or run 'chmod +x' on it")
    }
  }

  package var name: String { (path as NSString).lastPathComponent }

  /// What the devices of one process share, for a person; nil for a process each.
  package var sharing: String? {
    guard devicesPerProcess > 1 else { return nil }
    return
      "up to \(devicesPerProcess) devices share a process, and with it the home folder, UserDefaults, singletons and "
      + "the main actor; a kill then ends an app's object, not its process"
  }
}
