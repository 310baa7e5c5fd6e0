import Foundation
import HTTPClient
import ServerNode
import Wire

/// Delivers notifications over HTTP, and says in Apple's words what became of a try.
struct NotificationSender: Sendable {
  private let client: HTTPClient

  init(_ configuration: HTTPClientConfiguration = HTTPClientConfiguration()) { client = HTTPClient(configuration) }

  func send(_ post: NotificationPost, then done: @escaping @Sendable (NotificationPost.Outcome) -> Void) {
    let trusted = post.trustedCertificates.map { Data($0.utf8) }
    client.post(
      post.body, to: post.url, timeout: .milliseconds(post.timeoutMilliseconds), trusting: trusted
    ) { result in
      done(NotificationSender.outcome(result, of: post.url))
    }
  }

  static func outcome(
    _ result: Result<HTTPClientResponse, HTTPClientError>, of url: String
  ) -> NotificationPost.Outcome {
    switch result {
    case .success(let response):
      // Redirections are not followed. One that leads to where it came from has no end.
      if let redirect = response.redirect, isSame(redirect, url) { return .failed(.circularRedirect) }
      if let charset = charset(of: response), !supportedCharsets.contains(charset) {
        return .failed(.unsupportedCharset)
      }
      return .answered(status: response.status)
    case .failure(let error): return .failed(reason(of: error.code))
    }
  }

  private static func reason(of code: HTTPClientError.Code) -> SendAttemptResult {
    switch code {
    case .timedOut: .timedOut
    case .untrusted, .noTLS: .tlsIssue
    case .noConnection: .socketIssue
    case .noAnswer: .noResponse
    case .connectionLost, .answerCut: .prematureClose
    case .badAnswer, .responseTooLarge: .invalidResponse
    case .badAddress, .cancelled, .other: .other
    }
  }

  private static func isSame(_ left: String, _ right: String) -> Bool {
    func normal(_ text: String) -> URLComponents? {
      var parts = URLComponents(string: text)
      parts?.fragment = nil
      if parts?.path.isEmpty == true { parts?.path = "/" }
      return parts
    }
    return left == right || normal(left).map { $0 == normal(right) } ?? false
  }

  private static func charset(of response: HTTPClientResponse) -> String? {
    let parameters = response.contentType?.split(separator: ";").dropFirst() ?? []
    for parameter in parameters {
      let parts = parameter.split(separator: "=", maxSplits: 1)
        .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " \t\"'")).lowercased() }
      if parts.first == "charset" { return parts.count == 2 ? parts[1] : "" }
    }
    return nil
  }

  private static let supportedCharsets: Set<String> =
    Set(["utf-8", "utf8", "utf-16", "utf-16le", "utf-16be", "us-ascii", "ascii", "windows-1252"])
    .union((1...16).map { "iso-8859-\($0)" })
}
