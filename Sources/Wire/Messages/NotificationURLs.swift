/// Where a world's notifications go (App Store Connect: App Store Server Notifications).
package struct NotificationURLs: Codable, Hashable, Sendable {
  package var production: NotificationEndpoint?
  package var sandbox: NotificationEndpoint?

  package init(production: NotificationEndpoint? = nil, sandbox: NotificationEndpoint? = nil) {
    self.production = production
    self.sandbox = sandbox
  }

  package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    case production, sandbox

    /// Which of the two a world of this environment uses.
    package init(environment: String) { self = environment == "Production" ? .production : .sandbox }
  }

  package subscript(kind: Kind) -> NotificationEndpoint? {
    get {
      switch kind {
      case .production: production
      case .sandbox: sandbox
      }
    }
    set {
      switch kind {
      case .production: production = newValue
      case .sandbox: sandbox = newValue
      }
    }
  }

  /// App Store Connect: without a sandbox URL the production URL gets the notifications of both; never the other way.
  package func endpoint(for kind: Kind) -> NotificationEndpoint? {
    kind == .production ? production : sandbox ?? production
  }

  package var isEmpty: Bool { production == nil && sandbox == nil }
}

package struct NotificationEndpoint: Codable, Hashable, Sendable {
  /// http or https; or `accept`.
  package var url: String
  /// How long an answer may take, in milliseconds of the machine's time; nil for 30 seconds.
  package var timeoutMilliseconds: Int64?
  /// Certificates in PEM that are trusted there in place of the machine's: of a certificate authority, or the server's
  /// own. Nil for the machine's.
  package var trustedCertificates: String?

  package init(url: String, timeoutMilliseconds: Int64? = nil, trustedCertificates: String? = nil) {
    self.url = url
    self.timeoutMilliseconds = timeoutMilliseconds
    self.trustedCertificates = trustedCertificates
  }

  /// Every notification counts as delivered, without a server: for stories that are about nothing but what is sent.
  package static let accept = "accept"
  package static let usualTimeout: Int64 = 30_000
  package static let timeoutsAllowed: ClosedRange<Int64> = 1...600_000
  /// Of `trustedCertificates`, in bytes.
  package static let mostTrusted = 65_536
}
