import Foundation
import HTTPServer

/// The JSON object in the body of a request.
struct APIBody: Hashable {
  private let fields: [String: JSONValue]

  /// - Throws: `generalBadRequest` for another type of content, and for what is no JSON object.
  init(_ request: HTTPRequest) throws(APIError) {
    if let type = request.headers["Content-Type"] {
      let name = type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
      guard name == "application/json" else { throw .generalBadRequest }
    }
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: request.body), case .object(let fields) = value
    else { throw .generalBadRequest }
    self.fields = fields
  }

  /// Nil for what is missing or null.
  subscript(name: String) -> JSONValue? {
    switch fields[name] {
    case nil, .null?: nil
    case let value?: value
    }
  }

  /// A whole number within `range`; `error` for anything else, nil when it is missing.
  func integer(_ name: String, in range: ClosedRange<Int64>, else error: APIError) throws(APIError) -> Int? {
    guard let value = self[name] else { return nil }
    guard let number = value.integer, range.contains(number) else { throw error }
    return Int(number)
  }

  /// The same for a field that may not be missing.
  func required(_ name: String, in range: ClosedRange<Int64>, else error: APIError) throws(APIError) -> Int {
    guard let number = try integer(name, in: range, else: error) else { throw error }
    return number
  }

  /// 1 to `most` characters, which may not be missing.
  func text(_ name: String, most: Int, else error: APIError) throws(APIError) -> String {
    guard let text = self[name]?.string, (1...most).contains(text.count) else { throw error }
    return text
  }
}
