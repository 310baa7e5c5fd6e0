import HTTPServer
import Wire

extension WireError.Code {
  /// Codes that only HTTP has.
  static let unsupportedMediaType = Self(rawValue: "unsupportedMediaType")
  static let keyReused = Self(rawValue: "keyReused")
  static let forbidden = Self(rawValue: "forbidden")
}

extension WireError {
  var status: HTTPStatus {
    switch code {
    case .badFrame, .badBody, .unsupportedVersion: .badRequest
    case .unauthorized: .unauthorized
    case .forbidden: .forbidden
    case .unknownName, .unknownAddress: .notFound
    case .refused: .conflict
    case .unsupportedMediaType: HTTPStatus(rawValue: 415)
    case .keyReused: HTTPStatus(rawValue: 422)
    case .overloaded: .tooManyRequests
    case .unavailable, .helloFirst: .serviceUnavailable
    case .deadlineExceeded: HTTPStatus(rawValue: 504)
    default: .internalServerError
    }
  }

  /// The error as the wire has it, under the status that says the same in HTTP.
  var response: HTTPResponse {
    var response = HTTPResponse.json(WireJSON.encode(self), status: status)
    switch code {
    case .unauthorized: response.headers["WWW-Authenticate"] = "Bearer realm=\"storefleet\""
    // In seconds.
    case .overloaded, .unavailable, .helloFirst: response.headers["Retry-After"] = "1"
    default: break
    }
    return response
  }
}
