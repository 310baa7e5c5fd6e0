import Foundation
import Shared
import Testing
import Wire

/// The bytes in docs/protocol/01-frames.md are the bytes that the code makes and reads.
@Suite struct DocumentedFramesTests {
  private static let alice = ActorAddress(world: "demo", kind: .account, key: "alice")
  private static let id = RequestID(
    UUID(
      uuid: (0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff)))

  @Test func request() throws {
    let frames = RequestFrames(
      CatchUp(epoch: 1, after: 2), to: Self.alice, id: Self.id, deadlineMilliseconds: 10_000
    ).frames
    #expect(try documented("request") == frames)
    let read = try RequestFrames(frames: frames)
    #expect(read.id == Self.id && read.address == Self.alice && read.name == "catchUp")
    #expect(read.deadlineMilliseconds == 10_000 && read.attachments.isEmpty)
  }

  @Test func replyWithAnAttachment() throws {
    let reply = ReplyFrames(
      id: Self.id, outcome: .ok(WireJSON.encode(SignedCopies(revisions: [1]))), attachments: [Data("a.b.c".utf8)])
    #expect(try documented("reply") == reply.frames)
    let read = try ReplyFrames(frames: reply.frames)
    #expect(read.id == Self.id && read.attachments == [Data("a.b.c".utf8)])
  }

  @Test func errorReply() throws {
    let reply = ReplyFrames(id: Self.id, outcome: .failed(WireError(.unknownAddress, "nobody")))
    #expect(try documented("error") == reply.frames)
    let read = try ReplyFrames(frames: reply.frames)
    guard case .failed(let error) = read.outcome else {
      Issue.record("an error reply was read as a success")
      return
    }
    #expect(error == WireError(.unknownAddress, "nobody"))
  }

  @Test func errorReplyToARequestWithoutAReadableId() throws {
    let error = WireError(.badFrame, "the message is empty")
    let reply = ReplyFrames(id: nil, outcome: .failed(error))
    #expect(try documented("error.unknown") == reply.frames)
    #expect(try ReplyFrames(frames: reply.frames).id == nil)
  }

  @Test func event() throws {
    let event = EventFrames(
      topic: Self.alice.topic, epoch: 1, sequence: 258, name: "subscribed", body: Data("{}".utf8))
    #expect(try documented("event") == event.frames)
    let read = try EventFrames(frames: event.frames)
    #expect(read.topic == "demo/account/alice;" && read.epoch == 1 && read.sequence == 258)
    #expect(read.name == "subscribed" && read.body == Data("{}".utf8))
  }

  /// A line of an example is a frame: its bytes in hex, a bar, and what it is.
  private func documented(_ name: String) throws -> [Data] {
    let text = try #require(try ProtocolDocument.examples(in: "hex")[name], "01-frames.md has no example '\(name)'")
    var frames: [Data] = []
    for line in text.split(separator: "\n") {
      let columns = line.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
      let bytes = try columns[0].split(separator: " ").map { try #require(UInt8($0, radix: 16), "\($0) is no byte") }
      // A line that names nothing goes on with the frame above.
      if columns.count == 1, let last = frames.popLast() {
        frames.append(last + Data(bytes))
      } else {
        frames.append(Data(bytes))
      }
    }
    return frames
  }
}
