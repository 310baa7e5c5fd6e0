import Fleet
import Shared
import Wire

/// The events of a world as lines for people, in columns: store time, who, and what happened. Remembers what it wrote
/// last of each device, so that a report in which nothing visible changed is no line.
struct WatchText {
  private static let whoWidth = 18

  /// What a family keeps for itself; its members' own events tell what came of it.
  private static let inner: Set = ["itemChanged", "seatReserved", "seatReleased"]

  private var now: StoreTime
  private var timelines: [String: AccountTimeline] = [:]
  private var shown: [String: String] = [:]

  /// Devices whose present state is on the screen already.
  init(now: StoreTime, devices: [DeviceEntry] = []) {
    self.now = now
    for report in devices.compactMap(\.report) { shown[report.device] = Self.words(report) }
  }

  /// Nil for an event that a person would see no difference by.
  mutating func line(_ event: EventFrames) -> String? {
    let place = event.topic.dropLast().split(separator: "/").map(String.init)
    let who = place.last ?? event.topic
    if let update = try? WireJSON.decode(AccountUpdate.self, from: event.body) {
      now = update.at
      return columns(who, timelines[who, default: AccountTimeline([])].read(update).text)
    }
    if let report = try? WireJSON.decode(DeviceReport.self, from: event.body) {
      let words = Self.words(report)
      guard shown.updateValue(words, forKey: report.device) != words else { return nil }
      return columns(report.device, words)
    }
    if let change = try? WireJSON.decode(EntitlementChanged.self, from: event.body) {
      let state = change.removed ? "no longer the user's" : change.entitlement.status.rawValue
      return columns("user " + who.prefix(8), "\(change.entitlement.productId) \(state)")
    }
    if let clock = try? WireJSON.decode(ClockMoves.self, from: event.body) {
      return columns("clock", "moves to \(clock.to)")
    }
    if let clock = try? WireJSON.decode(ClockMoved.self, from: event.body) {
      now = clock.now
      return columns("clock", "moved here")
    }
    if Self.inner.contains(event.name) { return nil }
    return columns(who, event.name)
  }

  private func columns(_ who: String, _ text: String) -> String {
    let padding = String(repeating: " ", count: max(0, Self.whoWidth - who.count))
    return "\(now)  \(who)\(padding)  \(text)"
  }

  private static func words(_ report: DeviceReport) -> String {
    guard let screen = report.screen, report.incarnation != nil else { return DeviceText.state(report) }
    let products = screen.entitled.isEmpty ? "nothing" : screen.entitled.joined(separator: ", ")
    var words = "\(DeviceText.state(report)), \(screen.access.rawValue): may use \(products)"
    if screen.phase != "idle" { words += ", purchase \(screen.phase)" }
    if !report.unfinished.isEmpty { words += ", \(report.unfinished.count) unfinished" }
    return words
  }
}
