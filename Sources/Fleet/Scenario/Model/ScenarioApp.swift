import Foundation

/// The app of the developer's own that runs on every device.
package struct ScenarioApp: Sendable, Hashable {
  /// Absolute. Whether it can be started is seen when it is.
  package var path: String
  package var devicesPerProcess: Int

  package init(path: String, devicesPerProcess: Int = 1) {
    self.path = path
    self.devicesPerProcess = devicesPerProcess
  }

  package init(_ app: AppExecutable) {
    self.init(path: app.path, devicesPerProcess: app.devicesPerProcess)
  }

  package var name: String { (path as NSString).lastPathComponent }
}
