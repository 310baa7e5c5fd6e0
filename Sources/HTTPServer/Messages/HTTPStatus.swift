/// The status code of a response.
package struct HTTPStatus: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let ok = HTTPStatus(rawValue: 200)
  package static let created = HTTPStatus(rawValue: 201)
  package static let accepted = HTTPStatus(rawValue: 202)
  package static let noContent = HTTPStatus(rawValue: 204)
  package static let badRequest = HTTPStatus(rawValue: 400)
  package static let unauthorized = HTTPStatus(rawValue: 401)
  package static let forbidden = HTTPStatus(rawValue: 403)
  package static let notFound = HTTPStatus(rawValue: 404)
  package static let methodNotAllowed = HTTPStatus(rawValue: 405)
  package static let requestTimeout = HTTPStatus(rawValue: 408)
  package static let conflict = HTTPStatus(rawValue: 409)
  package static let contentTooLarge = HTTPStatus(rawValue: 413)
  package static let targetTooLong = HTTPStatus(rawValue: 414)
  package static let expectationFailed = HTTPStatus(rawValue: 417)
  package static let tooManyRequests = HTTPStatus(rawValue: 429)
  package static let headersTooLarge = HTTPStatus(rawValue: 431)
  package static let internalServerError = HTTPStatus(rawValue: 500)
  package static let serviceUnavailable = HTTPStatus(rawValue: 503)
}
