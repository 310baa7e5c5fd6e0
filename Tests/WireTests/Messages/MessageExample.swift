import Foundation
import Shared
import Wire

/// A value of a message type, with the name that the protocol's documents give its JSON.
struct MessageExample: Sendable, CustomStringConvertible {
  let name: String
  /// The JSON that the code makes of the value.
  let json: Data
  /// Reads JSON as a value of the type and writes it again.
  let rewrite: @Sendable (Data) throws -> Data

  init<Value: Codable & Sendable>(_ name: String, _ value: Value) {
    self.name = name
    json = WireJSON.encode(value)
    rewrite = { WireJSON.encode(try WireJSON.decode(Value.self, from: $0)) }
  }

  var description: String { name }
}

extension MessageExample {
  /// A request and its reply.
  static func exchange<Message: Request>(
    _ request: Message, reply: Message.Reply, variant: String = ""
  ) -> [MessageExample] {
    [
      MessageExample(Message.name + variant + ".request", request),
      MessageExample(Message.name + variant + ".reply", reply),
    ]
  }

  static func request<Message: Request>(_ request: Message, variant: String = "") -> [MessageExample] {
    [MessageExample(Message.name + variant + ".request", request)]
  }

  static func reply<Message: Request>(
    to _: Message.Type, _ reply: Message.Reply, variant: String = ""
  ) -> [MessageExample] {
    [MessageExample(Message.name + variant + ".reply", reply)]
  }
}
