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
      .init("storefleet watch --json | jq .name", "a JSON object a line, the first, 'watching', says when it began"),
    ]
  ) { arguments in
    try await FleetOptions.with(arguments, followsEvents: true) { fleet in
      let events = fleet.connection.events()
      let asJSON = arguments.has(FleetOptions.json)
      let devices = asJSON ? [] : try await fleet.askWorld(ListDevices()).devices
      let start = try await fleet.askWorld(DescribeWorld()).now
      if asJSON {
        print(try WatchLine.beginning(fleet.world, at: start))
        fflush(nil)
      } else {
        (DeviceTable.lines(devices) + [""]).forEach { print($0) }
        fflush(nil)
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          var text = WatchText(now: start, devices: devices)
          for await event in events {
            guard let line = asJSON ? WatchLine.json(event) : text.line(event) else { continue }
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
  private struct Beginning: Encodable {
    struct Body: Encodable {
      var now: StoreTime
      /// ISO 8601, of the machine's clock.
      var machine: String
    }

    var topic: String
    var epoch: UInt64 = 0
    var sequence: UInt64 = 0
    var name = "watching"
    var body: Body
  }

  /// The first line: whatever happens from here on is told.
  static func beginning(_ world: String, at now: StoreTime) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let line = Beginning(
      topic: "\(world)/world/\(world)", body: .init(now: now, machine: Date().formatted(.iso8601)))
    return String(decoding: try encoder.encode(line), as: UTF8.self)
  }

  /// A JSON object on one line: topic, epoch, sequence, name, and the event's own body.
  static func json(_ event: EventFrames) -> String { String(decoding: event.line, as: UTF8.self) }
}
