import Fleet
import FleetTesting
import Foundation

extension FleetTesting.Fleet {
  /// Waits until `UserDefaults` of an app's process are on disk as wanted.
  ///
  /// - Parameter domain: the executable's name, or that of a suite.
  func untilSaved(
    _ domain: String, of process: String, _ isWanted: @escaping @Sendable ([String: Any]) -> Bool
  ) async throws {
    let file = "\(processes.folder.dataPath)/apps/\(process)/home/.config/\(domain).plist"
    try await until("\(domain) of \(process) is saved") {
      let saved = FileManager.default.contents(atPath: file).flatMap {
        try? PropertyListSerialization.propertyList(from: $0, format: nil) as? [String: Any]
      }
      return saved.map(isWanted) == true ? .found(()) : .notYet("\(saved ?? [:])")
    }
  }
}
