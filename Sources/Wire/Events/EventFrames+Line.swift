package import Foundation

extension EventFrames {
  private struct Head: Encodable {
    var topic: String
    var epoch: UInt64
    var sequence: UInt64
    var name: String
  }

  /// The event as a JSON object on one line, as people and programs watch it: the topic without its terminator, epoch,
  /// sequence, name, and the event's own body as it came.
  package var line: Data {
    let head = Head(topic: String(topic.dropLast()), epoch: epoch, sequence: sequence, name: name)
    return WireJSON.encode(head).dropLast() + Data(",\"body\":".utf8) + body + Data("}".utf8)
  }
}
