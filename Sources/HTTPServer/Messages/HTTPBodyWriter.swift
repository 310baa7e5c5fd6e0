package import Foundation

/// Writes the body of a streamed response, from any executor.
package struct HTTPBodyWriter: Sendable {
  let stream: HTTPBodyStream

  /// Hands over bytes to be sent. Waits while more than the server's `streamBufferBytes` wait for a slow client.
  ///
  /// - Throws: ``HTTPStreamClosed`` when nobody will read them: the client has gone, or the server stops.
  package func write(_ data: Data) async throws(HTTPStreamClosed) { try await stream.write(data) }

  package func write(_ event: ServerSentEvent) async throws(HTTPStreamClosed) { try await write(event.encoded) }
}

/// The stream has no reader any more.
package enum HTTPStreamClosed: Error, Hashable, Sendable {
  case clientGone
  case serverStopping
  /// The task that writes was cancelled by somebody else.
  case cancelled
}
