/// What a server node has done since its start, and how it stands.
package struct ServerMeasurements: Sendable {
  package var counters = ServerCounters()
  package var gauges = ServerGauges()
  package var journal = JournalWriterCounters()
  /// Answered requests by name, then by outcome: `ok` or the code of the error.
  package var requests: [String: [String: UInt64]] = [:]
  /// From the arrival of a request until its reply was handed over, by name.
  package var handling: [String: LatencyHistogram] = [:]
  /// Published events by kind of actor, then by name.
  package var events: [String: [String: UInt64]] = [:]
  /// Requests that came and were not answered yet.
  package var requestsInHand = 0

  package init() {}
}

/// What a node holds in memory at a moment.
package struct ServerGauges: Hashable, Sendable {
  package var worlds = 0
  package var actors = 0
  /// Connections that have introduced themselves.
  package var peers = 0
  package var devices = 0
  /// Devices whose app runs and is online.
  package var listeningDevices = 0
  /// Timers that are waited for.
  package var timers = 0
  /// Messages in the mailboxes of actors, and those that wait for a world to open or for a clock jump to end.
  package var mailboxMessages = 0
  /// Requests that were passed on to client nodes and not answered yet.
  package var forwards = 0
  /// Turns whose events are on their way to the disk.
  package var commits = 0
  /// Signings that are on their way.
  package var signings = 0

  package init() {}
}
