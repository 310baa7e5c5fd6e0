package import Foundation
package import Wire

/// What was asked of a device and has to be answered by the next process, since this one ends with its app.
package struct UnansweredRequests: Codable, Hashable, Sendable {
  package var kills: [UUID] = []
  package var launches: [UUID] = []
  /// How the process before ended, in words of its launcher; nil at the first start.
  package var lastEnd: String?

  package init(kills: [RequestID] = [], launches: [RequestID] = [], lastEnd: String? = nil) {
    self.kills = kills.map(\.uuid)
    self.launches = launches.map(\.uuid)
    self.lastEnd = lastEnd
  }
}
