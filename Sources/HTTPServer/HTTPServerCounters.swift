/// What a server has done since it was started.
package struct HTTPServerCounters: Hashable, Sendable {
  package var openConnections = 0
  package var acceptedConnections = 0
  /// Connections that were refused because too many were open.
  package var refusedConnections = 0
  /// Requests that reached the handler.
  package var requests = 0
  /// Requests that the server refused itself: malformed, too large, too slow.
  package var refusedRequests = 0
}
