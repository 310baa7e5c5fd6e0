import Fleet
import Foundation
import Shared
import Wire

/// `storefleet watch`: what happens in a running fleet, as it happens.
enum WatchCommand {
  static let command = Command(
    name: "watch", summary: "print what happens in a running fleet, as it happens",
    options: [FleetOptions.json] + FleetOptions.all,
    examples: [
      .init("storefleet watch", "a line an event, until Ctrl-C"),
      .init("storefleet watch --json | jq .name", "a JSON object a line, for programs"),
    ]
  ) { arguments in
    try await FleetOptions.with(arguments, followsEvents: true) { fleet in
      let events = fleet.connection.events()
      if !arguments.has(FleetOptions.json) {
        DeviceTable.lines(try await fleet.askWorld(ListDevices()).devices).forEach { print($0) }
        fflush(nil)
      }
      let asJSON = arguments.has(FleetOptions.json)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for await event in events {
            print(asJSON ? try WatchLine.json(event) : WatchLine.text(event))
            fflush(nil)
          }
        }
        group.addTask { throw FleetError("fleet '\(try await fleet.end())' has ended") }
        defer { group.cancelAll() }
        try await group.next()
      }
      return .ok
    }
  }
}

/// One event for `watch`.
enum WatchLine {
  private struct Line: Encodable {
    var topic: String
    var epoch: UInt64
    var sequence: UInt64
    var name: String
  }

  /// A JSON object on one line: topic, epoch, sequence, name, and the event's own body.
  static func json(_ event: EventFrames) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let line = Line(
      topic: String(event.topic.dropLast()), epoch: event.epoch, sequence: event.sequence, name: event.name)
    let head = String(decoding: try encoder.encode(line).dropLast(), as: UTF8.self)
    return head + ",\"body\":" + String(decoding: event.body, as: UTF8.self) + "}"
  }

  /// A line for people: who, what happened, and what came of it. The position tells where in the stream it was.
  static func text(_ event: EventFrames) -> String {
    let place = event.topic.dropLast().split(separator: "/").dropFirst().joined(separator: " ")
    return "\(place) #\(event.sequence) \(event.name)\(details(event))"
  }

  private static func details(_ event: EventFrames) -> String {
    if let update = try? WireJSON.decode(AccountUpdate.self, from: event.body) {
      let records = update.records.map { record in
        "\(record.productId) \(record.transactionId)"
          + (record.expiresDate.map { " until \($0)" } ?? "") + (record.revocation == nil ? "" : " revoked")
      }
      return parts(records + update.finished.map { "\($0)" })
    }
    if let change = try? WireJSON.decode(EntitlementChanged.self, from: event.body) {
      return parts(["\(change.entitlement.productId) \(change.removed ? "gone" : change.entitlement.status.rawValue)"])
    }
    if let report = try? WireJSON.decode(DeviceReport.self, from: event.body) {
      let state = report.incarnation == nil ? "off" : report.online ? "online" : "offline"
      let screen = report.screen.map { "\($0.access.rawValue) [\($0.entitled.joined(separator: ", "))]" } ?? "no screen"
      return parts([state, screen])
    }
    if let clock = try? WireJSON.decode(ClockMoved.self, from: event.body) { return parts(["\(clock.now)"]) }
    return ""
  }

  private static func parts(_ parts: [String]) -> String { parts.isEmpty ? "" : "  " + parts.joined(separator: ", ") }
}
