package import Foundation

/// One struct a message: the reply's type follows from the request's.
///
/// The name and the JSON of each are specified in docs/protocol. Signed data travels beside the body, in frames of its
/// own (`attachments`).
package protocol Request: Codable, Sendable {
  associatedtype Reply: Codable & Sendable
  /// The name on the wire, for example `purchase`.
  static var name: String { get }
}

/// The reply of a request that has nothing to say but that it was done.
package struct Done: Codable, Hashable, Sendable {
  package init() {}
}

/// A reply with the frames that travel beside it.
package struct Answer<Body: Sendable>: Sendable {
  package var body: Body
  package var attachments: [Data]

  package init(_ body: Body, attachments: [Data] = []) {
    self.body = body
    self.attachments = attachments
  }
}

/// How the JSON of all messages is written and read.
package enum WireJSON {
  package static func encode(_ value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Message types hold nothing that JSON cannot express (no infinite numbers), so this cannot fail.
    return (try? encoder.encode(value)) ?? Data("{}".utf8)
  }

  package static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws(WireError) -> Value {
    do { return try JSONDecoder().decode(type, from: data) } catch {
      let why = misfit(error, in: data) ?? DecodingText.of(error)
      throw WireError(.badBody, "the body is not a valid \(type): \(why)")
    }
  }

  /// Foundation says of a number that does not fit its field that the whole is no JSON.
  private static func misfit(_ error: any Error, in data: Data) -> String? {
    guard case .dataCorrupted(let context)? = error as? DecodingError, context.codingPath.isEmpty,
      let json = try? JSONSerialization.jsonObject(with: data)
    else { return nil }
    guard
      let number = firstNumber(in: json, "", where: { !isWhole($0) }) ?? firstNumber(in: json, "", where: { $0 < 0 })
    else { return "a number in it is beyond what its field can hold" }
    return "\(number.path) is \(number.text): expected a whole number within the field's range"
  }

  private static func isWhole(_ number: Double) -> Bool { number.rounded() == number && abs(number) < 0x1p63 }

  private static func firstNumber(
    in json: Any, _ path: String, where isMeant: (Double) -> Bool
  ) -> (path: String, text: String)? {
    switch json {
    case let object as [String: Any]:
      for (key, value) in object.sorted(by: { $0.key < $1.key }) {
        if let found = firstNumber(in: value, path.isEmpty ? key : "\(path).\(key)", where: isMeant) { return found }
      }
    case let list as [Any]:
      for (index, value) in list.enumerated() {
        if let found = firstNumber(in: value, "\(path)[\(index)]", where: isMeant) { return found }
      }
    case let number as NSNumber where isMeant(number.doubleValue):
      return (path.isEmpty ? "the body" : path, number.stringValue)
    default: break
    }
    return nil
  }
}

/// Says where and why JSON did not fit, in one line.
package enum DecodingText {
  package static func of(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    func path(_ context: DecodingError.Context) -> String {
      let keys = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
      return keys.isEmpty ? "the top level" : String(keys.drop(while: { $0 == "." }))
    }
    switch error {
    case .keyNotFound(let key, let context): return "'\(key.stringValue)' is missing at \(path(context))"
    case .typeMismatch(let type, let context): return "\(path(context)) is not \(noun(of: type))"
    case .valueNotFound(let type, let context): return "\(path(context)) is null, expected \(noun(of: type))"
    case .dataCorrupted(let context): return "\(path(context)): \(context.debugDescription)"
    @unknown default: return "\(error)"
    }
  }

  /// What a JSON value of a Swift type is called.
  private static func noun(of type: any Any.Type) -> String {
    switch type {
    case is any FixedWidthInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    default:
      switch "\(type)" {
      case let name where name.hasPrefix("Array<") || name.hasPrefix("["): "a list"
      case let name where name.hasPrefix("Dictionary<"): "an object"
      case let name: "a \(name)"
      }
    }
  }
}
