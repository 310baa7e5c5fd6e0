import Foundation
package import Shared

extension StoreTime {
  package static let iso8601Rule = "write an instant in UTC like 2026-01-01T00:00:00Z, or a day like 2026-01-01"

  /// Reads `2026-01-01T00:00:00Z`, or a day, which means its midnight in UTC.
  package init?(iso8601 text: String) {
    let isDay = text.utf8.count == 10
    guard let date = try? Date(isDay ? text + "T00:00:00Z" : text, strategy: .iso8601) else { return nil }
    self.init(date)
  }
}
