import Fleet
import Foundation
import Shared
import Wire

/// The verbs of what the developer's server is told: App Store Server Notifications.
enum NotificationVerbs {
  static let all = [list, test, url, fault]

  // MARK: What was sent

  private static let failed = Option(flag: "failed", help: "only those that did not arrive")
  private static let of = Option("account", value: "ACCOUNT", help: "only those about this account")
  private static let payloads = Option(flag: "payloads", help: "with --json, also the signed payloads")

  private static let list = Command(
    name: "notifications list", summary: "list the notifications of a world and what became of each",
    options: [failed, payloads, of, FleetOptions.json] + FleetOptions.all,
    examples: [
      .init("storefleet notifications list", "what the backend was told, and whether it took it"),
      .init("storefleet notifications list --failed --account alice", "what it has missed of alice"),
    ]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      let account = arguments.value(of)
      let wanted = try await all(of: fleet, withPayloads: arguments.has(payloads)).filter { entry in
        (account == nil || entry.account == account) && (!arguments.has(failed) || entry.state != .delivered)
      }
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: wanted)
      } else {
        lines(wanted).forEach { print($0) }
      }
      return .ok
    }
  }

  private static func all(of fleet: RunningFleet, withPayloads: Bool) async throws -> [NotificationEntry] {
    var entries: [NotificationEntry] = []
    while true {
      let request = ListNotifications(after: entries.last?.number ?? 0, withPayloads: withPayloads ? true : nil)
      let page = try await fleet.ask(request, of: .notifications, fleet.world)
      entries += page.notifications
      if !page.hasMore || page.notifications.isEmpty { return entries }
    }
  }

  static func lines(_ entries: [NotificationEntry]) -> [String] {
    var table = Table(["#", "at", "notification", "account", "state", "tries"].map { .init($0) })
    for entry in entries {
      table.addRow([
        "\(entry.number)", "\(entry.at)", entry.notificationType + (entry.subtype.map { " \($0)" } ?? ""),
        entry.account ?? "–", entry.state.rawValue,
        entry.sendAttempts.map(\.sendAttemptResult.rawValue).joined(separator: ", "),
      ])
    }
    return table.lines(fitting: Terminal.width)
  }

  // MARK: A test

  private static let test = Command(
    name: "notifications test", summary: "send the backend a TEST notification, and say what it answered",
    options: [FleetOptions.json] + FleetOptions.all,
    examples: [.init("storefleet notifications test", "SUCCESS, or what went wrong")]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      let token = try await fleet.ask(RequestTestNotification(), of: .notifications, fleet.world).testNotificationToken
      let item = try await status(of: token, fleet)
      let results = item.sendAttempts.map(\.sendAttemptResult)
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: item)
      } else {
        print("The test notification was sent: \(results.map(\.rawValue).joined(separator: ", ")).")
      }
      return results.contains(.success) ? .ok : .failed
    }
  }

  /// It is known as soon as the try is over.
  private static func status(of token: String, _ fleet: RunningFleet) async throws -> NotificationHistoryItem {
    while true {
      do {
        return try await fleet.ask(
          GetTestNotificationStatus(testNotificationToken: token), of: .notifications, fleet.world)
      } catch let error as WireError where error.refusal == .testNotificationNotFound {
        // No event is followed here; a person does not mind a tenth of a second.
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  // MARK: Where they go

  private static let sandbox = Option(flag: "sandbox", help: "the URL of the sandbox; else of the world's environment")
  private static let production = Option(flag: "production", help: "the URL of production")
  private static let timeout = Option(
    "timeout", value: "DURATION", help: "how long an answer may take, up to 10m; 30s without it")

  private static let trust = Option("trust", value: "FILE", help: NotificationTrust.help)

  private static let url = Command(
    name: "notifications url", summary: "say where a world's notifications go, or ask",
    operands: [
      Operand("URL", .oneAtMost, help: "http or https; 'accept' for nowhere but the list; 'none' for none at all")
    ],
    options: [sandbox, production, timeout, trust, FleetOptions.json] + FleetOptions.all,
    examples: [
      .init("storefleet notifications url http://127.0.0.1:8080/notifications", "from now on"),
      .init("storefleet notifications url http://127.0.0.1:8080/hook --timeout 2s", "a backend that has to be quick"),
      .init(
        "storefleet notifications url https://localhost:8443/hook --trust ./localhost.pem",
        "with a certificate of one's own"
      ),
      .init("storefleet notifications url", "where they go now"),
    ]
  ) { arguments in
    if arguments.has(sandbox), arguments.has(production) {
      throw UsageError("say either --sandbox or --production: each has a URL of its own")
    }
    let kind: NotificationURLs.Kind? =
      arguments.has(sandbox) ? .sandbox : arguments.has(production) ? .production : nil
    let milliseconds = try arguments.duration(timeout).map { $0.wholeMilliseconds }
    let trusted = try NotificationTrust.read(arguments.value(trust), for: arguments.operands.first ?? "")
    return try await FleetOptions.with(arguments) { fleet in
      if let word = arguments.operands.first {
        let endpoint =
          word == "none"
          ? nil : NotificationEndpoint(url: word, timeoutMilliseconds: milliseconds, trustedCertificates: trusted)
        _ = try await fleet.askWorld(SetNotificationURL(endpoint, kind: kind))
      }
      let world = try await fleet.askWorld(DescribeWorld())
      let urls = world.notificationURLs ?? NotificationURLs()
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: urls)
      } else {
        let used = urls.endpoint(for: .init(environment: world.environment))
        print("Notifications of world '\(world.world)' go \(used.map { "to \($0.url)" } ?? "nowhere").")
      }
      return .ok
    }
  }

  // MARK: Faults

  private static let next = Option("next", value: "N", help: "it happens to the next N notifications")
  private static let percent = Option("percent", value: "P", help: "it happens to P percent of them")
  private static let by = Option("by", value: "DURATION", help: "for 'delay': how much later, of the world's time")
  private static let kinds = NotificationFault.Kind.allCases.map(\.rawValue)

  private static let fault = Command(
    name: "notifications fault", summary: "let notifications get lost, come twice, late or in another order",
    operands: [Operand("FAULT", help: kinds.joined(separator: ", ") + ", or none")],
    options: [next, percent, by, FleetOptions.json] + FleetOptions.all,
    examples: [
      .init("storefleet notifications fault drop --next 1", "the next one gets lost on the way"),
      .init("storefleet notifications fault duplicate --percent 20", "every fifth comes twice"),
      .init("storefleet notifications fault reorder --next 6", "six are held back and sent in reverse"),
      .init("storefleet notifications fault none", "all is well again; what was held back is sent"),
    ]
  ) { arguments in
    let word = arguments.operands[0]
    let count = try arguments.integer(next, in: NotificationFault.countsAllowed)
    let share = try arguments.integer(percent, in: NotificationFault.percentsAllowed)
    let delay = try arguments.duration(by).map { $0.wholeMilliseconds }
    var fault: NotificationFault?
    if word != "none" {
      guard let kind = NotificationFault.Kind(rawValue: word) else {
        let near = Spelling.closest(to: word, among: kinds + ["none"])
        throw UsageError(
          "there is no fault '\(word)': "
            + (near.map { "did you mean '\($0)'?" } ?? "expected \(kinds.joined(separator: ", ")) or none"))
      }
      guard (count == nil) != (share == nil) else { throw UsageError("say either --next N or --percent P") }
      guard (kind == .delay) == (delay != nil) else {
        throw UsageError("say --by DURATION with 'delay', and with nothing else")
      }
      fault = NotificationFault(kind, count: count, percent: share, delayMilliseconds: delay)
    }
    return try await FleetOptions.with(arguments) { fleet in
      _ = try await fleet.ask(SetNotificationFault(fault), of: .notifications, fleet.world)
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: SetNotificationFault(fault))
      } else {
        print(text(fault))
      }
      return .ok
    }
  }

  private static func text(_ fault: NotificationFault?) -> String {
    guard let fault else { return "Notifications are sent as they are." }
    let whom = fault.count.map { "the next \(counted($0, "notification"))" } ?? "\(fault.percent ?? 0) % of them"
    return "Notifications: \(fault.kind.rawValue), \(whom)."
  }
}
