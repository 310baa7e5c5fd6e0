package import Foundation
package import Wire

/// The server node that the control API speaks for.
package protocol ControlledNode: Sendable {
  /// Asks an actor as a control connection does: the name and the body are those of the wire's request, and so is the
  /// reply.
  func ask(
    _ name: String, body: Data, of address: ActorAddress, id: RequestID, attachments: [Data], within patience: Duration
  ) async throws(WireError) -> Answer<Data>

  /// The newest position of a world's events; from now on they are in the log.
  func follow(_ world: String) async -> EventLog.Position

  var eventLog: EventLog { get }

  /// What `/metrics` says; nil while the node does not answer requests.
  func metrics() async -> [MetricFamily]?
}
