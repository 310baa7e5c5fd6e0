import Foundation
import HTTPServer
import Shared
import Wire

/// What `storefleet watch` shows, as a stream of server-sent events.
extension ControlAPI {
  static let eventsPath = ControlTarget.world.path + "/events"

  private struct Watching: Encodable {
    var now: StoreTime
  }

  private struct Reset: Encodable {
    var reason: String
  }

  func events(_ request: HTTPRequest) async -> HTTPResponse {
    do throws(WireError) {
      try authorize(request)
      let world = try ControlTarget.world.address { request.parameters[$0] }
      // Worlds that nobody has made are not followed.
      _ = try await describe(world)
      let start = await node.follow(world.world)
      let now = try await describe(world).now
      let last = request.headers["Last-Event-ID"] ?? request.query("lastEventId")
      return .serverSentEvents { [self] writer in
        try await stream(of: world.world, from: start, at: now, lastEventID: last, to: writer)
      }
    } catch {
      return error.response
    }
  }

  private func describe(_ world: ActorAddress) async throws(WireError) -> WorldDescription {
    let answer = try await node.ask(
      DescribeWorld.name, body: WireJSON.encode(DescribeWorld()), of: world, id: RequestID(UUID()), attachments: [],
      within: .seconds(10))
    return try WireJSON.decode(WorldDescription.self, from: answer.body)
  }

  private func stream(
    of world: String, from start: EventLog.Position, at now: StoreTime, lastEventID: String?,
    to writer: HTTPBodyWriter
  ) async throws {
    var position = start
    if let lastEventID {
      if let known = EventLog.Position(lastEventID) {
        position = known
        // Whoever goes on has its answer at once, whether something happens or not.
        try await writer.write(ServerSentEvent.heartbeat)
      } else {
        try await writer.write(
          ControlAPI.reset("'\(lastEventID.prefix(60))' is no id of this stream", position))
      }
    } else {
      try await writer.write(
        ServerSentEvent(id: position.description, event: "watching", data: ControlAPI.text(Watching(now: now))))
    }
    while !Task.isCancelled {
      switch await batch(of: world, after: position) {
      case nil: try await writer.write(ServerSentEvent.heartbeat)
      case .ended: return
      case .missed:
        position = await node.follow(world)
        try await writer.write(
          ControlAPI.reset("events were missed: what is known of the world has to be asked for again", position))
      case .events(let entries):
        for entry in entries {
          position = entry.position
          try await writer.write(
            ServerSentEvent(
              id: position.description, event: entry.event.name,
              data: String(decoding: entry.event.line, as: UTF8.self)))
        }
      }
    }
  }

  /// Nil when nothing has come for a heartbeat's time.
  private func batch(of world: String, after position: EventLog.Position) async -> EventLog.Batch? {
    let (log, heartbeat) = (node.eventLog, options.heartbeat)
    return await withTaskGroup(of: EventLog.Batch?.self) { group in
      group.addTask { await log.next(of: world, after: position) }
      group.addTask {
        try? await Task.sleep(for: heartbeat)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  private static func reset(_ reason: String, _ position: EventLog.Position) -> ServerSentEvent {
    ServerSentEvent(id: position.description, event: "reset", data: text(Reset(reason: reason)))
  }

  private static func text(_ value: some Encodable) -> String {
    String(decoding: WireJSON.encode(value), as: UTF8.self)
  }
}
