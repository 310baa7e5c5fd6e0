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
      let asJSON = arguments.has(FleetOptions.json)
      let devices = asJSON ? [] : try await fleet.askWorld(ListDevices()).devices
      let start = try await fleet.askWorld(DescribeWorld()).now
      if !asJSON {
        (DeviceTable.lines(devices) + [""]).forEach { print($0) }
        fflush(nil)
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          var text = WatchText(now: start, devices: devices)
          for await event in events {
            guard let line = asJSON ? try WatchLine.json(event) : text.line(event) else { continue }
            print(line)
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
}
