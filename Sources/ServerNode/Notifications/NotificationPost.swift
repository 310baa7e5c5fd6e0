package import Foundation
package import Wire

/// One try to deliver a notification.
package struct NotificationPost: Hashable, Sendable {
  package var url: String
  /// JSON.
  package var body: Data
  package var timeoutMilliseconds: Int64
  /// PEM, in place of the machine's; nil for the machine's.
  package var trustedCertificates: String?

  package init(url: String, body: Data, timeoutMilliseconds: Int64, trustedCertificates: String? = nil) {
    self.url = url
    self.body = body
    self.timeoutMilliseconds = timeoutMilliseconds
    self.trustedCertificates = trustedCertificates
  }

  package enum Outcome: Hashable, Sendable {
    case answered(status: Int)
    case failed(SendAttemptResult)

    /// Apple: a status from 200 to 206 is success.
    var result: SendAttemptResult {
      switch self {
      case .answered(let status): (200...206).contains(status) ? .success : .unsuccessfulHTTPResponseCode
      case .failed(let result): result
      }
    }
  }

  /// Sends it, and calls back once, from any thread.
  package typealias Sender = @Sendable (NotificationPost, @escaping @Sendable (Outcome) -> Void) -> Void
}
