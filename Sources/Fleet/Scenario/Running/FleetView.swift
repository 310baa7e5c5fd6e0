import Foundation
import Shared
import Wire

/// Looks at a fleet from outside: devices, journals, families and users, by requests.
struct FleetView: Sendable {
  let scenario: Scenario
  let driver: any FleetDriver

  func address(_ kind: ActorAddress.Kind, _ key: String) -> ActorAddress {
    ActorAddress(world: scenario.world.name, kind: kind, key: key)
  }

  var world: ActorAddress { address(.world, scenario.world.name) }

  /// The topic of a user is the token in lower case.
  func user(_ name: String) -> ActorAddress {
    address(.user, scenario.user(name)?.token.uuidString.lowercased() ?? name)
  }

  func report(_ device: String) async throws -> DeviceReport {
    try await driver.ask(InspectDevice(), of: address(.device, device))
  }

  /// The whole journal of an account, page by page.
  func journal(_ account: String) async throws -> [ReadJournal.Entry] {
    var entries: [ReadJournal.Entry] = []
    while true {
      let request = ReadJournal(after: entries.last?.sequence ?? 0)
      let page = try await driver.ask(request, of: address(.account, account)).events
      entries += page
      if page.count < request.limit { return entries }
    }
  }

  /// Everything that the developer's server was sent or is to be sent, page by page.
  func notifications() async throws -> [NotificationEntry] {
    var entries: [NotificationEntry] = []
    while true {
      let request = ListNotifications(after: entries.last?.number ?? 0)
      let page = try await driver.ask(request, of: .notifications(of: scenario.world.name))
      entries += page.notifications
      if !page.hasMore || page.notifications.isEmpty { return entries }
    }
  }

  func truth(_ account: String) async throws -> JournalTruth {
    // A real clock goes on: asked first, with what happened since left out, the instant and the events fit together.
    let described = try await driver.ask(DescribeWorld(), of: world)
    let entries = try await journal(account).filter { $0.at <= described.now }
    return JournalTruth(entries: entries, now: described.now, habits: described.habits ?? Habits())
  }

  /// The last word of these devices; those that cannot be asked are missing.
  func reports(_ devices: [String]) async -> [String: DeviceReport] {
    let found = await Concurrently.map(devices) { device in (device, try? await report(device)) }
    return Dictionary(found.compactMap { name, report in report.map { (name, $0) } }, uniquingKeysWith: { $1 })
  }

  /// The truths of these accounts; those whose journal cannot be read are missing.
  func truths(_ accounts: [String]) async -> [String: JournalTruth] {
    let found = await Concurrently.map(accounts) { account in (account, try? await truth(account)) }
    return Dictionary(found.compactMap { name, truth in truth.map { (name, $0) } }, uniquingKeysWith: { $1 })
  }

  func agreement(reports: [String: DeviceReport], truths: [String: JournalTruth]) -> Agreement {
    Agreement(devices: scenario.devices.map { ($0.name, $0.account) }, reports: reports, truths: truths)
  }
}
