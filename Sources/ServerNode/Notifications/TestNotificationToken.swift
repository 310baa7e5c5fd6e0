import Foundation
import Wire

/// Names a test notification, for whoever asked for it.
struct TestNotificationToken: Hashable, Sendable, CustomStringConvertible {
  var uuid: UUID
  var number: UInt64

  init(uuid: UUID, number: UInt64) {
    self.uuid = uuid
    self.number = number
  }

  init?(_ text: String) {
    let parts = text.split(separator: "_")
    guard parts.count == 2, let uuid = UUID(uuidString: String(parts[0])), let number = UInt64(parts[1]), number > 0
    else { return nil }
    self.init(uuid: uuid, number: number)
  }

  var description: String { "\(uuid.uuidString.lowercased())_\(number)" }
}
