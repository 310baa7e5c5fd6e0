import Wire

/// Which devices the server should hear of again.
struct ReportDesk: Sendable {
  /// What a report says, short: to see whether there is something new to say.
  struct Mark: Hashable, Sendable {
    var incarnation: UInt64?
    var online: Bool
    var applied: StreamPosition
    var unfinished: Int
    var seen: Int
    var screen: AppScreen?
    var faults: DeviceFaults?
  }

  /// Within this time changes are gathered into one batch.
  static let gatherMilliseconds: Int64 = 20

  private var marks: [String: Mark] = [:]
  private(set) var changed: Set<String> = []
  /// One batch at a time, so that an old report never overtakes a newer one.
  var isInFlight = false

  /// How many of its newest elements a device lists in a report that nobody asked for: with all of them, a report would
  /// cost more the longer an app runs. `InspectDevice` answers with more.
  static let updatesListed = 8

  /// - Returns: whether the device has something new to say.
  mutating func note(_ device: String, _ mark: Mark) -> Bool {
    guard marks[device] != mark else { return false }
    marks[device] = mark
    changed.insert(device)
    return true
  }

  mutating func noteAll(_ devices: some Sequence<String>) { changed.formUnion(devices) }

  mutating func take() -> [String] {
    defer { changed = [] }
    return changed.sorted()
  }
}
