import Fleet
import Foundation

/// Where the `storefleet` executable is.
package enum StorefleetExecutable {
  /// Names it; else the one beside the tests' bundle is taken.
  package static let variable = "STOREFLEET_EXECUTABLE"

  /// Where this process's own executable is, which for tests is their bundle.
  package static var folder: String { (ProcessFleet.ownExecutable as NSString).deletingLastPathComponent }

  package static func path() throws -> String {
    if let named = ProcessInfo.processInfo.environment[variable], !named.isEmpty { return named }
    let path = folder + "/storefleet"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw FleetTestingError(
        "there is no executable '\(path)': add .product(name: \"storefleet\", package: \"storefleet\") to the test target's "
          + "dependencies, or name it in \(variable)")
    }
    return path
  }
}
