import Foundation
import Shared
import Wire

extension NotificationEndpoint {
  func check() throws(WireError) {
    if let timeoutMilliseconds, !NotificationEndpoint.timeoutsAllowed.contains(timeoutMilliseconds) {
      throw WireError(
        .badBody, "an answer to a notification may take 1 to 600000 milliseconds, not \(timeoutMilliseconds)")
    }
    if url == NotificationEndpoint.accept { return }
    let parts = URLComponents(string: url)
    guard let scheme = parts?.scheme?.lowercased(), scheme == "http" || scheme == "https",
      parts?.host?.isEmpty == false, parts?.port.map((1...65_535).contains) ?? true,
      !url.utf8.contains(where: { $0 <= 32 || $0 == 127 })
    else {
      throw WireError(
        .badBody,
        "'\(url.prefix(200))' is no URL for notifications: expected one such as http://127.0.0.1:8080/notifications, "
          + "or 'accept'")
    }
    try checkTrust(isTLS: scheme == "https")
  }

  private func checkTrust(isTLS: Bool) throws(WireError) {
    guard let trustedCertificates else { return }
    guard isTLS else {
      throw WireError(.badBody, "certificates are trusted for https alone, and '\(url.prefix(200))' is none")
    }
    // Whoever may look at the world reads it.
    guard !trustedCertificates.contains("PRIVATE KEY-----") else {
      throw WireError(.badBody, "'trustedCertificates' holds a private key: say the certificates alone")
    }
    guard trustedCertificates.utf8.count <= NotificationEndpoint.mostTrusted,
      CertificateAuthority.hasCertificates(pem: trustedCertificates)
    else {
      throw WireError(
        .badBody,
        "'trustedCertificates' holds no certificate that can be read: expected PEM, "
          + "\(NotificationEndpoint.mostTrusted) bytes at most")
    }
  }
}
