import Foundation
import Shared
import Wire

extension ScenarioReader {
  private static let worldKeys = [
    "name", "bundleId", "environment", "clock", "timeRate", "gracePeriod", "claimPolicy", "familyGrantDelay", "habits",
    "notifications", "seed",
  ]

  func readWorld() -> ScenarioWorld {
    var world = ScenarioWorld(
      name: defaultWorldName, bundleId: "com.example.app", environment: "Sandbox", clock: .real, timeRate: .realTime)
    guard let node = root.members["world"],
      let section = ScenarioSection(node, place: "world", findings: findings, expected: "an object in { }")
    else { return world }
    section.allow(ScenarioReader.worldKeys)
    if let name = section.string("name") {
      if ActorAddress.isName(name) {
        world.name = name
      } else {
        section.note(ScenarioReader.nameRule(name), at: "name")
      }
    }
    world.bundleId = section.string("bundleId") ?? world.bundleId
    world.timeRate = section.choice("timeRate", TimeRate.self) ?? world.timeRate
    world.clock = readClock(section) ?? world.clock
    world.gracePeriod = readGracePeriod(section)
    world.habits = section.habits("habits")
    world.environment =
      section.word("environment", among: ScenarioWorld.environments)
      ?? (world.habits?.profile == .xcode ? StoreIdentity.xcode : world.environment)
    world.claimPolicy = section.choice("claimPolicy", ClaimPolicy.self)
    world.familyGrantDelay = readGrantDelay(section)
    world.notificationURLs = readNotificationURLs(section)
    world.seed = section.integer("seed", in: 0...Int.max).map(UInt64.init)
    return world
  }

  private func readClock(_ section: ScenarioSection) -> ClockMode? {
    let expected = "expected \"real\" or {manual: \"2026-01-01T00:00:00Z\"}"
    switch section.members["clock"]?.value {
    case nil: return nil
    case .string("real"): return .real
    case .object(let members):
      guard Array(members.keys) == ["manual"], case .string(let text) = members["manual"]?.value else { break }
      guard let time = StoreTime(iso8601: text) else {
        section.note("the clock cannot start at \(ScenarioSection.quoted(text)): \(StoreTime.iso8601Rule)", at: "clock")
        return nil
      }
      return .manual(startsAt: time)
    default: break
    }
    section.note("'clock' is \(section.members["clock"]?.summary ?? "absent"): \(expected)", at: "clock")
    return nil
  }

  /// A URL, or `{production, sandbox}`.
  private func readNotificationURLs(_ section: ScenarioSection) -> NotificationURLs? {
    guard let node = section.members["notifications"] else { return nil }
    guard case .object = node.value else {
      // Without a URL of its own, a sandbox uses the one of production.
      return section.string("notifications").map { NotificationURLs(production: NotificationEndpoint(url: $0)) }
    }
    guard
      let urls = ScenarioSection(
        node, place: "world notifications", findings: findings, expected: "a URL or {production: …, sandbox: …}")
    else { return nil }
    urls.allow(["production", "sandbox"])
    return NotificationURLs(
      production: urls.string("production").map { NotificationEndpoint(url: $0) },
      sandbox: urls.string("sandbox").map { NotificationEndpoint(url: $0) })
  }

  private func readGrantDelay(_ section: ScenarioSection) -> Duration? {
    guard let text = section.string("familyGrantDelay") else { return nil }
    do {
      let delay = try DurationText.parse(text)
      guard delay > .seconds(7 * 86_400) else { return delay }
      section.note("'familyGrantDelay' is '\(text)': a family waits 7d at most", at: "familyGrantDelay")
    } catch {
      section.note("\(error)", at: "familyGrantDelay")
    }
    return nil
  }

  /// A number of days, or `{days, renewals}`.
  private func readGracePeriod(_ section: ScenarioSection) -> GracePeriod? {
    guard let node = section.members["gracePeriod"] else { return nil }
    guard case .object = node.value else {
      return graceLength(section, "gracePeriod").map { GracePeriod($0) }
    }
    guard
      let grace = ScenarioSection(
        node, place: "world gracePeriod", findings: findings, expected: "{days: 16, renewals: \"all\"}")
    else { return nil }
    grace.allow(["days", "renewals"])
    let renewals = grace.choice("renewals", GracePeriod.Renewals.self) ?? .all
    return grace.required("days") { graceLength(grace, $0) }.map { GracePeriod($0, renewals: renewals) }
  }

  private func graceLength(_ section: ScenarioSection, _ key: String) -> GracePeriod.Length? {
    if case .number(let text)? = section.members[key]?.value, let days = Int(text),
      let length = GracePeriod.Length(rawValue: days)
    {
      return length
    }
    section.note("'\(key)' is \(section.members[key]?.summary ?? "absent"): expected 3, 16 or 28 days", at: key)
    return nil
  }

  /// The file's own name, as far as a world can be called so.
  private var defaultWorldName: String {
    let base = URL(filePath: file).deletingPathExtension().lastPathComponent
    let name = base.filter { ActorAddress.isName(String($0)) }
    return ActorAddress.isName(name) ? name : "scenario"
  }

  static func nameRule(_ name: String) -> String {
    "\(ScenarioSection.quoted(name)) cannot be a name: use 1 to 128 of A-Z a-z 0-9 . _ - + @"
  }
}
