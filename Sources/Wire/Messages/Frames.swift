package import Foundation

/// The frames of the protocol, version 1, as values. docs/protocol/01-frames.md specifies them for other languages.
///
/// Every message begins with an 8-byte header: `S`, `F`, the version, the kind, and a big-endian UInt32 whose meaning
/// depends on the kind.
package enum Frames {
  package static let version: UInt8 = 1

  /// A message with more frames than this is refused.
  package static let maximumCount = 1_024

  package enum Kind: UInt8, Sendable {
    case request = 0x51  // Q
    case reply = 0x52  // R
    case event = 0x45  // E
  }

  static func header(_ kind: Kind, _ value: UInt32) -> Data {
    Data([0x53, 0x46, version, kind.rawValue]) + bigEndian(value)
  }

  static func bigEndian<Value: FixedWidthInteger>(_ value: Value) -> Data {
    withUnsafeBytes(of: value.bigEndian) { Data($0) }
  }

  static func integer<Value: FixedWidthInteger>(_ type: Value.Type, _ data: Data) -> Value? {
    guard data.count == MemoryLayout<Value>.size else { return nil }
    return data.reduce(0) { ($0 << 8) | Value($1) }
  }

  /// Reads a header frame.
  package static func parseHeader(_ data: Data) throws(WireError) -> (kind: UInt8, value: UInt32) {
    let bytes = Data(data)
    guard bytes.count == 8, bytes[0] == 0x53, bytes[1] == 0x46 else {
      throw WireError(.badFrame, "the first frame is not a header: expected 8 bytes that begin with 'SF'")
    }
    guard bytes[2] == version else {
      throw WireError(.unsupportedVersion, "protocol version \(bytes[2]) is not spoken here: use version \(version)")
    }
    return (bytes[3], integer(UInt32.self, Data(bytes[4...])) ?? 0)
  }

  static func text(_ data: Data, _ what: String) throws(WireError) -> String {
    guard let text = String(validating: data, as: UTF8.self) else {
      throw WireError(.badFrame, "the \(what) is not UTF-8")
    }
    return text
  }
}

/// A request as it travels: header(deadline in ms), request id, address, name, body, attachments…
package struct RequestFrames: Sendable {
  package var id: RequestID
  package var address: ActorAddress
  package var name: String
  package var body: Data
  package var attachments: [Data]
  /// How long the sender waits, in milliseconds; 0 means that it does not wait for a reply.
  package var deadlineMilliseconds: UInt32

  package init(
    id: RequestID, address: ActorAddress, name: String, body: Data, attachments: [Data] = [],
    deadlineMilliseconds: UInt32 = 10_000
  ) {
    self.id = id
    self.address = address
    self.name = name
    self.body = body
    self.attachments = attachments
    self.deadlineMilliseconds = deadlineMilliseconds
  }

  package init<Message: Request>(
    _ message: Message, to address: ActorAddress, id: RequestID, attachments: [Data] = [],
    deadlineMilliseconds: UInt32 = 10_000
  ) {
    self.init(
      id: id, address: address, name: Message.name, body: WireJSON.encode(message), attachments: attachments,
      deadlineMilliseconds: deadlineMilliseconds)
  }

  package var frames: [Data] {
    [
      Frames.header(.request, deadlineMilliseconds), id.bytes, Data(address.description.utf8), Data(name.utf8), body,
    ] + attachments
  }

  package init(frames: [Data]) throws(WireError) {
    guard let first = frames.first else { throw WireError(.badFrame, "the message is empty") }
    let (kind, deadline) = try Frames.parseHeader(first)
    guard kind == Frames.Kind.request.rawValue else {
      throw WireError(.badFrame, "kind \(kind) is not a request ('Q')")
    }
    guard frames.count >= 5 else {
      throw WireError(
        .badFrame, "a request has 5 frames or more (header, id, address, name, body), not \(frames.count)")
    }
    guard let id = RequestID(bytes: frames[1]) else {
      throw WireError(.badFrame, "the request id has \(frames[1].count) bytes: expected 16")
    }
    let addressText = try Frames.text(frames[2], "address")
    guard let address = ActorAddress(addressText) else {
      throw WireError(.badFrame, "'\(addressText.prefix(200))' is not an address: expected world/kind/key")
    }
    self.init(
      id: id, address: address, name: try Frames.text(frames[3], "name"), body: frames[4],
      attachments: Array(frames.dropFirst(5)), deadlineMilliseconds: deadline)
  }
}

/// A reply as it travels: header(0), request id, status (`ok` or an error code), body, attachments…
package struct ReplyFrames: Sendable {
  package enum Outcome: Sendable {
    case ok(Data)
    case failed(WireError)
  }
  /// Zero bytes when the request's id could not be read.
  package var id: RequestID?
  package var outcome: Outcome
  package var attachments: [Data]

  package init(id: RequestID?, outcome: Outcome, attachments: [Data] = []) {
    self.id = id
    self.outcome = outcome
    self.attachments = attachments
  }

  package var frames: [Data] {
    let head = [Frames.header(.reply, 0), id?.bytes ?? Data()]
    switch outcome {
    case .ok(let body): return head + [Data("ok".utf8), body] + attachments
    case .failed(let error): return head + [Data(error.code.rawValue.utf8), WireJSON.encode(error)]
    }
  }

  package init(frames: [Data]) throws(WireError) {
    guard let first = frames.first else { throw WireError(.badFrame, "the message is empty") }
    let (kind, _) = try Frames.parseHeader(first)
    guard kind == Frames.Kind.reply.rawValue, frames.count >= 4 else {
      throw WireError(.badFrame, "not a reply: expected kind 'R' and 4 frames (header, id, status, body)")
    }
    let status = try Frames.text(frames[2], "status")
    id = RequestID(bytes: frames[1])
    if status == "ok" {
      outcome = .ok(frames[3])
      attachments = Array(frames.dropFirst(4))
    } else {
      outcome = .failed(try WireJSON.decode(WireError.self, from: frames[3]))
      attachments = []
    }
  }
}

/// An event as it is published: topic, header(0) with epoch and sequence behind it, name, body.
package struct EventFrames: Sendable {
  /// The actor's topic, terminator included.
  package var topic: String
  package var epoch: UInt64
  package var sequence: UInt64
  package var name: String
  package var body: Data

  package init(topic: String, epoch: UInt64, sequence: UInt64, name: String, body: Data) {
    self.topic = topic
    self.epoch = epoch
    self.sequence = sequence
    self.name = name
    self.body = body
  }

  package var frames: [Data] {
    [
      Data(topic.utf8), EventFrames.header(epoch: epoch, sequence: sequence), Data(name.utf8), body,
    ]
  }

  /// Made in one piece: a clock jump publishes a hundred thousand.
  private static func header(epoch: UInt64, sequence: UInt64) -> Data {
    withUnsafeTemporaryAllocation(byteCount: 24, alignment: 8) { bytes in
      let start: [UInt8] = [0x53, 0x46, Frames.version, Frames.Kind.event.rawValue, 0, 0, 0, 0]
      bytes.copyBytes(from: start)
      bytes.storeBytes(of: epoch.bigEndian, toByteOffset: 8, as: UInt64.self)
      bytes.storeBytes(of: sequence.bigEndian, toByteOffset: 16, as: UInt64.self)
      return Data(bytes)
    }
  }

  package init(frames: [Data]) throws(WireError) {
    guard frames.count >= 4, frames[1].count == 24 else {
      throw WireError(.badFrame, "an event has 4 frames: topic, 24-byte header, name, body")
    }
    let header = Data(frames[1])
    let (kind, _) = try Frames.parseHeader(Data(header[0..<8]))
    guard kind == Frames.Kind.event.rawValue else { throw WireError(.badFrame, "kind \(kind) is not an event ('E')") }
    topic = try Frames.text(frames[0], "topic")
    epoch = Frames.integer(UInt64.self, Data(header[8..<16])) ?? 0
    sequence = Frames.integer(UInt64.self, Data(header[16..<24])) ?? 0
    name = try Frames.text(frames[2], "name")
    body = frames[3]
  }
}
