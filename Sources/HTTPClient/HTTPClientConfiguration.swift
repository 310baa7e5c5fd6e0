package import Foundation

/// How a client sends.
package struct HTTPClientConfiguration: Sendable {
  /// From the start of a request to the end of its answer, waiting for others not included.
  package var timeout: Duration = .seconds(30)
  package var connectTimeout: Duration = .seconds(10)
  /// Requests under way at once; others wait their turn.
  package var concurrency = 128
  /// The same, to one host and port.
  package var concurrencyPerHost = 64
  /// An answer with a longer body is an error.
  package var responseBytes = 64 * 1024
  /// Certificates in PEM that are trusted in place of the machine's.
  package var trustedCertificates: Data?

  package init() {}
}
