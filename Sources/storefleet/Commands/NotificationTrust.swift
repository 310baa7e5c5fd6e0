import Foundation
import Shared
import Wire

/// The file that says which certificates of the developer's server are good.
enum NotificationTrust {
  static let help =
    "trust the certificates in this PEM file there, in place of the machine's: a CA's, or the server's own"

  /// The certificates in the file, and nothing else that it holds: it may be a server's own, with its key. Nil without a
  /// file.
  static func read(_ file: String?, for url: String) throws -> String? {
    guard let file else { return nil }
    guard url.lowercased().hasPrefix("https://") else {
      throw UsageError("certificates are trusted for https alone, and '\(url)' is none")
    }
    let text = certificates(in: try TextFile.read(file))
    guard text.utf8.count <= NotificationEndpoint.mostTrusted, CertificateAuthority.hasCertificates(pem: text) else {
      throw CommandFailure(
        "'\(file)' holds no certificate that can be read: expected PEM, \(NotificationEndpoint.mostTrusted) bytes at most",
        exitCode: .failed)
    }
    return text
  }

  private static func certificates(in text: String) -> String {
    let (begin, end) = ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----")
    return text.components(separatedBy: begin).dropFirst().compactMap { part in
      part.range(of: end).map { begin + part[..<$0.lowerBound] + end + "\n" }
    }.joined()
  }
}
