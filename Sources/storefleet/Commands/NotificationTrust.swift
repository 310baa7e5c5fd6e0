import Foundation
import Shared
import Wire

/// The file that says which certificates of the developer's server are good.
enum NotificationTrust {
  static let help =
    "trust the certificates in this PEM file there, in place of the machine's: a CA's, or the server's own"

  /// The file's text; nil without a file.
  static func read(_ file: String?, for url: String) throws -> String? {
    guard let file else { return nil }
    guard url.lowercased().hasPrefix("https://") else {
      throw UsageError("certificates are trusted for https alone, and '\(url)' is none")
    }
    let text: String
    do { text = try String(contentsOfFile: file, encoding: .utf8) } catch {
      throw CommandFailure("cannot read '\(file)': \(error.localizedDescription)", exitCode: .unreachable)
    }
    guard text.utf8.count <= NotificationEndpoint.mostTrusted, CertificateAuthority.hasCertificates(pem: text) else {
      throw CommandFailure(
        "'\(file)' holds no certificate that can be read: expected PEM, \(NotificationEndpoint.mostTrusted) bytes at most",
        exitCode: .failed)
    }
    return text
  }
}
