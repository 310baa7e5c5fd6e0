import Foundation
import HTTPServer
import Shared

/// The responses of the API.
enum APIAnswer {
  /// Apple's libraries look for this very text.
  private static let contentType = "application/json"

  /// A JSON object.
  static func object(capacity: Int = 512, _ write: (inout JSONObjectWriter) -> Void) -> HTTPResponse {
    var json = JSONObjectWriter(capacity: capacity)
    write(&json)
    return .data(json.finish(), contentType: contentType)
  }

  /// JSON that is answered more than once.
  static func kept(_ body: Data) -> KeptBody { KeptBody(body, contentType: contentType) }

  static func error(_ error: APIError) -> HTTPResponse {
    var response = object {
      $0.put("errorCode", error.code)
      $0.put("errorMessage", error.message)
    }
    response.status = HTTPStatus(rawValue: error.status)
    return response
  }

  /// The same for every token that is not good: no body says what is wrong with it.
  static let unauthorized = HTTPResponse(status: .unauthorized)
}
