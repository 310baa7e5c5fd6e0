package import Foundation

/// What a server answered.
package struct HTTPClientResponse: Hashable, Sendable {
  package let status: Int
  package let body: Data
  package let contentType: String?
  /// Where a redirection leads, as a whole URL. It was not followed.
  package let redirect: String?

  package init(status: Int, body: Data = Data(), contentType: String? = nil, redirect: String? = nil) {
    self.status = status
    self.body = body
    self.contentType = contentType
    self.redirect = redirect
  }
}
