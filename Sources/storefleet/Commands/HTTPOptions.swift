import Foundation
import HTTPServer

/// Where a server node speaks HTTP.
struct HTTPOptions {
  static let http = Option(
    "http", value: "HOST:PORT",
    help: "speak HTTP here: the App Store Server API, the control API, metrics; port 0 lets the system pick one")
  static let certificate = Option(
    "http-cert", value: "FILE", help: "with --http, speak TLS with this certificate chain, in PEM")
  static let key = Option("http-key", value: "FILE", help: "the private key of --http-cert, in PEM without a password")
  static let url = Option(
    "http-url", value: "URL", help: "with --http, the base URL by which others reach it; else what it listens at")
  static let all = [http, certificate, key, url]

  let host: String
  let port: Int
  let tls: HTTPTLSIdentity?
  /// By which others reach it, where that is not what it listens at; without a slash at its end.
  let publicURL: String?

  /// Nil when no HTTP is wanted.
  ///
  /// - Parameter isInsecure: Whether other machines may reach it without TLS.
  init?(_ arguments: Arguments, isInsecure: Bool) throws {
    guard let text = arguments.value(HTTPOptions.http) else {
      for option in HTTPOptions.all where arguments.has(option) {
        throw UsageError("option '--\(option.long)' needs --http HOST:PORT")
      }
      return nil
    }
    (host, port) = try HTTPOptions.place(text)
    tls = try HTTPOptions.identity(arguments)
    publicURL = try HTTPOptions.publicURL(arguments)
    guard tls != nil || isInsecure || HTTPOptions.isLoopback(host) else {
      throw UsageError(
        "http://\(text) can be reached from other machines, which could read all that passes: "
          + "listen at 127.0.0.1, give --http-cert and --http-key, or add --insecure")
    }
  }

  /// The base of all URLs, for a server that listens at `port`.
  func baseURL(port: Int) -> String {
    let name = host.contains(":") ? "[\(host)]" : host
    return "\(tls == nil ? "http" : "https")://\(name):\(port)"
  }

  /// Takes `127.0.0.1:8080`, `localhost:0` or `[::1]:8080` apart.
  static func place(_ text: String) throws(UsageError) -> (host: String, port: Int) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw expected(text)
    }
    var host = text[..<colon]
    if host.first == "[", host.last == "]" {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw expected(text)
    }
    guard !host.isEmpty, !host.contains(where: { "/[] ".contains($0) }) else { throw expected(text) }
    return (String(host), Int(port))
  }

  private static func expected(_ text: String) -> UsageError {
    UsageError(
      "option '--http' is '\(text)': expected an address and a port such as 127.0.0.1:8080 or [::1]:8080, "
        + "or 127.0.0.1:0 for a port that the system picks")
  }

  /// Whether nobody but this machine reaches it.
  var isLoopback: Bool { HTTPOptions.isLoopback(host) }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }

  private static func publicURL(_ arguments: Arguments) throws(UsageError) -> String? {
    guard let text = arguments.value(url) else { return nil }
    let url = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard let parts = URL(string: url), ["http", "https"].contains(parts.scheme), parts.host()?.isEmpty == false else {
      throw UsageError("option '--http-url' is '\(text)': expected a URL such as http://storefleet:8080")
    }
    return url
  }

  private static func identity(_ arguments: Arguments) throws -> HTTPTLSIdentity? {
    switch (arguments.value(certificate), arguments.value(key)) {
    case (nil, nil): return nil
    case (let certificate?, let key?):
      return HTTPTLSIdentity(certificateChain: try TextFile.read(certificate), privateKey: try TextFile.read(key))
    default: throw UsageError("--http-cert and --http-key belong together: give both")
    }
  }
}
