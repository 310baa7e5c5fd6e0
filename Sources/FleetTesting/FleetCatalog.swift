import Fleet
import Foundation
import Shared

/// What the App Store of a fleet sells.
public enum FleetCatalog: Hashable, Sendable {
  /// A small catalogue that comes with Storefleet.
  case builtIn
  /// A `.storekit` file, as Xcode writes it.
  case file(String)

  func text() throws -> String {
    switch self {
    case .builtIn: return BuiltInCatalog.text
    case .file(let path):
      do {
        _ = try FleetTestingError.translatingCatalog { try Catalog.load(contentsOf: URL(filePath: path)) }
        return try String(contentsOfFile: path, encoding: .utf8)
      } catch let error as FleetTestingError {
        throw error
      } catch {
        throw FleetTestingError("the catalogue '\(path)' cannot be read: \(error.localizedDescription)")
      }
    }
  }
}
