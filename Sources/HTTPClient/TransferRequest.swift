import Foundation

/// A request on its way to the thread that sends it.
struct TransferRequest: Sendable {
  let id: UInt64
  let url: String
  /// Whole lines.
  let headers: [String]
  let body: Data
  /// Nil for the client's.
  let timeout: Duration?
  /// PEM; nil for the client's.
  let trustedCertificates: Data?
  let answer: @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> Void
}
