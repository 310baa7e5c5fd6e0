package import Foundation

/// A request, complete with its body.
package struct HTTPRequest: Sendable {
  package var method: HTTPMethod
  package var target: HTTPTarget
  package var headers: HTTPHeaders
  package var body: Data
  /// What the names in the route's template stand for; the router sets them.
  package var parameters: HTTPPathParameters

  package init(
    method: HTTPMethod, target: HTTPTarget, headers: HTTPHeaders = HTTPHeaders(), body: Data = Data(),
    parameters: HTTPPathParameters = HTTPPathParameters()
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.parameters = parameters
  }

  /// For tests of handlers without a server: `try HTTPRequest(.get, "/inApps/v1/lookup/7?x=1")`.
  package init(
    _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = HTTPHeaders(), body: Data = Data()
  ) throws(HTTPBadTarget) {
    self.init(method: method, target: try HTTPTarget(target), headers: headers, body: body)
  }

  /// The path as it was sent, still encoded.
  package var path: String { target.path }

  /// The first value of that name in the query.
  package func query(_ name: String) -> String? { target.query.first { $0.name == name }?.value }

  /// All values of that name in the query, in order.
  package func queryValues(_ name: String) -> [String] {
    target.query.compactMap { $0.name == name ? $0.value : nil }
  }

  /// The token of `Authorization: Bearer …`; the scheme's name has no case (RFC 9110 §11.1).
  package var bearerToken: Substring? {
    guard let value = headers["Authorization"]?.utf8,
      value.lazy.map({ $0 | 0x20 }).starts(with: "bearer ".utf8)
    else { return nil }
    let token = value.dropFirst(7).drop { $0 == UInt8(ascii: " ") }
    return token.isEmpty ? nil : Substring(token)
  }
}
