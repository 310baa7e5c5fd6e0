package import Foundation
import Synchronization

/// Sends requests over http and https, many at once, without blocking the threads of its callers.
///
/// One thread of its own drives them all with libcurl; it ends with the last reference to the client. Redirects are not
/// followed, and proxies are taken from the environment as curl takes them.
package final class HTTPClient: Sendable {
  private let loop: TransferLoop
  private let lastID = Atomic<UInt64>(0)

  package init(_ configuration: HTTPClientConfiguration = HTTPClientConfiguration()) {
    loop = TransferLoop(configuration)
    loop.start()
  }

  deinit { loop.stop() }

  /// Posts a body and waits for the whole answer, whatever its status.
  ///
  /// Cancelling the task gives the request up.
  package func post(
    _ body: Data, to url: String, contentType: String = "application/json",
    headers: [(name: String, value: String)] = []
  ) async throws(HTTPClientError) -> HTTPClientResponse {
    let id = lastID.add(1, ordering: .relaxed).newValue
    let loop = loop
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        submit(id, body, url, contentType, headers, timeout: nil) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      loop.cancel(id)
    }
    return try result.get()
  }

  /// Posts a body for a caller that does not wait: `answer` is called once, on the client's thread, and must be quick.
  ///
  /// - Parameters:
  ///   - timeout: nil for the client's.
  ///   - trusted: certificates in PEM that are trusted in place of the client's; nil for the client's.
  package func post(
    _ body: Data, to url: String, contentType: String = "application/json", timeout: Duration? = nil,
    trusting trusted: Data? = nil,
    then answer: @escaping @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> Void
  ) {
    let id = lastID.add(1, ordering: .relaxed).newValue
    submit(id, body, url, contentType, [], timeout: timeout, trusted: trusted, answer)
  }

  private func submit(
    _ id: UInt64, _ body: Data, _ url: String, _ contentType: String, _ headers: [(name: String, value: String)],
    timeout: Duration?, trusted: Data? = nil,
    _ answer: @escaping @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> Void
  ) {
    let fields = [(name: "Content-Type", value: contentType)] + headers
    guard fields.allSatisfy({ !$0.name.isEmpty && ($0.name + $0.value).utf8.allSatisfy { $0 >= 32 } }) else {
      let reason = "A header has a line end or another control character."
      return answer(.failure(HTTPClientError(code: .other, url: url, reason: reason)))
    }
    // "Expect:" without a value keeps libcurl from waiting for leave to send large bodies.
    let lines = fields.map { "\($0.name): \($0.value)" } + ["Expect:"]
    loop.submit(
      TransferRequest(
        id: id, url: url, headers: lines, body: body, timeout: timeout, trustedCertificates: trusted, answer: answer))
  }
}
