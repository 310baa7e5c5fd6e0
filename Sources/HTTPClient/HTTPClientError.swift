/// A request was not answered. An answer with a status of failure is no error.
package struct HTTPClientError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// The address is no http or https URL.
    case badAddress
    /// The host has no address, or nothing listens there.
    case noConnection
    case timedOut
    /// The certificate is not trusted, or is another host's.
    case untrusted
    /// TLS was not agreed upon.
    case noTLS
    /// The connection broke.
    case connectionLost
    /// The server closed the connection without a word.
    case noAnswer
    /// What came was no HTTP.
    case badAnswer
    /// The server closed the connection in the middle of its answer.
    case answerCut
    /// The answer is longer than the client takes.
    case responseTooLarge
    /// The client was closed, or the task was cancelled.
    case cancelled
    case other
  }

  package let code: Code
  package let url: String
  /// The cause, in libcurl's words where it has some.
  package let reason: String

  package init(code: Code, url: String, reason: String) {
    self.code = code
    self.url = url
    self.reason = reason
  }

  package var description: String { "Could not send to \(url): \(reason)" }
}
