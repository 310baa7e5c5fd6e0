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
      throw WireError(.badBody, "the body is not a valid \(type): \(DecodingText.of(error))")
    }
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
    case .typeMismatch(let type, let context): return "\(path(context)) is not a \(type)"
    case .valueNotFound(let type, let context): return "\(path(context)) is null, expected a \(type)"
    case .dataCorrupted(let context): return "\(path(context)): \(context.debugDescription)"
    @unknown default: return "\(error)"
    }
  }
}
