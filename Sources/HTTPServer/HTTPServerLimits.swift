/// What a server takes from clients, so that none can use it up.
package struct HTTPServerLimits: Sendable {
  /// Request line and headers together; more is a 431, or a 414 where the request line alone is longer.
  package var headerBytes = 8 * 1024
  /// Header fields of a request; more is a 431.
  package var headerCount = 100
  /// The body of a request; more is a 413.
  package var bodyBytes = 1024 * 1024
  /// Open connections; the next one gets a 503 and is closed.
  package var connections = 10_000
  /// How long a connection may be quiet before its first or its next request; then it is closed.
  package var idleTimeout: Duration = .seconds(75)
  /// From a request's first line to the end of its headers; more is a 408.
  package var headerTimeout: Duration = .seconds(15)
  /// From the end of the headers to the end of the body; more is a 408.
  package var bodyTimeout: Duration = .seconds(60)
  /// How long a client may leave a response unread, in whole seconds; then it is cut off. Two seconds more than
  /// `idleTimeout` at least.
  package var stallTimeout: Duration = .seconds(60)
  /// How long a connection whose request was refused half-way stays open, so that the client can read why.
  package var lingerTimeout: Duration = .seconds(2)
  /// How many bytes of a streamed response may wait for a slow client before writers have to wait.
  package var streamBufferBytes = 64 * 1024

  package init() {}
}
