package import Foundation

/// A request, complete with its body.
package struct HTTPRequest: Sendable {
  /// What never changes, in one piece, so that handing a request on is cheap.
  private final class Head: Sendable {
    let method: HTTPMethod
    let target: HTTPTarget
    let headers: HTTPHeaders

    init(_ method: HTTPMethod, _ target: HTTPTarget, _ headers: HTTPHeaders) {
      (self.method, self.target, self.headers) = (method, target, headers)
    }
  }

  private let head: Head
  package var method: HTTPMethod { head.method }
  package var target: HTTPTarget { head.target }
  package var headers: HTTPHeaders { head.headers }
  package var body: Data
  /// What the names in the route's template stand for; the router sets them.
  package var parameters: HTTPPathParameters

  package init(
    method: HTTPMethod, target: HTTPTarget, headers: HTTPHeaders = HTTPHeaders(), body: Data = Data(),
    parameters: HTTPPathParameters = HTTPPathParameters()
  ) {
    head = Head(method, target, headers)
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
    guard let value = headers["Authorization"] else { return nil }
    var rest = value.utf8[...]
    for letter in "bearer ".utf8 {
      guard let byte = rest.popFirst(), byte | 0x20 == letter else { return nil }
    }
    while rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    return rest.isEmpty ? nil : Substring(rest)
  }
}
