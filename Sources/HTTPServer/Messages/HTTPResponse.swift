package import Foundation

/// What a handler answers. Content-Length, Date, Connection and Transfer-Encoding are the server's business.
package struct HTTPResponse: Sendable {
  package enum Body: Sendable {
    case data(Data)
    /// One that is given often, with its type.
    case kept(KeptBody)
    /// Written piece by piece, with chunked encoding, by a closure that runs in a task of its own until it returns, or
    /// throws (the client then sees the body end too early). The task is cancelled when the client goes away and when
    /// the server stops; for HEAD it is never started.
    case stream(@Sendable (HTTPBodyWriter) async throws -> Void)
  }

  package var status: HTTPStatus
  package var headers: HTTPHeaders
  package var body: Body

  package init(status: HTTPStatus = .ok, headers: HTTPHeaders = HTTPHeaders(), body: Body = .data(Data())) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  package static func data(
    _ data: Data, contentType: String, status: HTTPStatus = .ok
  ) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": contentType], body: .data(data))
  }

  package static func json(_ json: Data, status: HTTPStatus = .ok) -> HTTPResponse {
    data(json, contentType: "application/json", status: status)
  }

  package static func text(_ text: String, status: HTTPStatus = .ok) -> HTTPResponse {
    data(Data(text.utf8), contentType: "text/plain; charset=utf-8", status: status)
  }

  /// A stream of events for browsers' `EventSource`.
  package static func serverSentEvents(
    _ write: @escaping @Sendable (HTTPBodyWriter) async throws -> Void
  ) -> HTTPResponse {
    HTTPResponse(
      headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-cache"], body: .stream(write))
  }
}
