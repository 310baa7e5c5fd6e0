import ControlAPI
import Foundation
import HTTPServer
import ServerNode
import Wire

/// A server node of this process, as the control API sees it.
struct ControlledServer: ControlledNode {
  let server: StoreServer
  /// What the HTTP server itself counts; nil while it does not run.
  let http: @Sendable () -> HTTPServerCounters?

  var eventLog: EventLog { server.eventLog }

  func follow(_ world: String) async -> EventLog.Position { await server.follow(world) }

  func ask(
    _ name: String, body: Data, of address: ActorAddress, id: RequestID, attachments: [Data], within patience: Duration
  ) async throws(WireError) -> Answer<Data> {
    try await server.local.ask(name, body: body, of: address, id: id, attachments: attachments, within: patience)
  }

  func metrics() async -> [MetricFamily]? {
    guard let measurements = await server.measurements else { return nil }
    return ServerMetrics.families(measurements) + (http().map(ServerMetrics.families) ?? []) + ProcessMetrics.families()
  }
}
