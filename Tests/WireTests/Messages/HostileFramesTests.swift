import Foundation
import Shared
import Testing
import Wire

/// Peers may send anything: each mistake gets an error that names it, and nothing crashes.
@Suite struct HostileFramesTests {
  private static let good = RequestFrames(
    CatchUp(epoch: 1, after: 2), to: ActorAddress(world: "demo", kind: .account, key: "alice"),
    id: RequestID(UUID()), attachments: [Data([1, 2, 3])]
  ).frames

  private func code(of frames: [Data]) -> WireError.Code? {
    do {
      _ = try RequestFrames(frames: frames)
      return nil
    } catch { return error.code }
  }

  private func good(frame: Int, _ bytes: [UInt8]) -> [Data] {
    var frames = Self.good
    frames[frame] = Data(bytes)
    return frames
  }

  @Test func theUnspoiledMessageIsRead() {
    #expect(code(of: Self.good) == nil)
  }

  @Test func anEmptyMessageIsABadFrame() {
    #expect(code(of: []) == .badFrame)
    #expect(code(of: [Data()]) == .badFrame)
  }

  @Test(arguments: 0..<5) func aMessageThatEndsEarlyIsABadFrame(count: Int) {
    #expect(code(of: Array(Self.good.prefix(count))) == .badFrame)
  }

  @Test(arguments: 0..<8) func aHeaderThatEndsEarlyIsABadFrame(count: Int) {
    #expect(code(of: [Self.good[0].prefix(count)] + Self.good.dropFirst()) == .badFrame)
  }

  @Test func aHeaderThatIsTooLongIsABadFrame() {
    #expect(code(of: [Self.good[0] + Data([0])] + Self.good.dropFirst()) == .badFrame)
  }

  @Test func wrongMagicIsABadFrame() {
    #expect(code(of: good(frame: 0, [0x47, 0x45, 0x54, 0x20, 0x2f, 0x20, 0x48, 0x54])) == .badFrame)
  }

  @Test(arguments: [0, 2, 0xff] as [UInt8]) func anotherVersionIsUnsupported(version: UInt8) {
    #expect(code(of: good(frame: 0, [0x53, 0x46, version, 0x51, 0, 0, 0, 0])) == .unsupportedVersion)
  }

  @Test(arguments: [0, 0x45, 0x52, 0x71, 0xff] as [UInt8]) func anotherKindIsNoRequest(kind: UInt8) {
    #expect(code(of: good(frame: 0, [0x53, 0x46, 1, kind, 0, 0, 0, 0])) == .badFrame)
  }

  @Test(arguments: [0, 1, 15, 17, 36]) func anIdOfAnotherLengthIsABadFrame(count: Int) {
    #expect(code(of: good(frame: 1, Array(repeating: 7, count: count))) == .badFrame)
  }

  @Test(arguments: [
    "", "demo", "demo/account", "demo/account/", "/account/alice", "demo//alice", "demo/account/alice/",
    "demo/account/al ice", "demo/account/alice;", "demo/account/al\u{0}ice", "demo/account/Zoë", "*",
    "demo/account/" + String(repeating: "a", count: 129),
  ]) func aTextThatIsNoAddressIsABadFrame(address: String) {
    #expect(code(of: good(frame: 2, Array(address.utf8))) == .badFrame)
  }

  @Test func theLongestNamesAreGood() {
    let name = String(repeating: "a", count: 128)
    #expect(code(of: good(frame: 2, Array("\(name)/account/\(name)".utf8))) == nil)
  }

  @Test(arguments: [2, 3]) func textThatIsNotUTF8IsABadFrame(frame: Int) {
    #expect(code(of: good(frame: frame, [0x64, 0xc3, 0x28])) == .badFrame)
    #expect(code(of: good(frame: frame, [0xff, 0xfe])) == .badFrame)
    // A surrogate, and a slash in more bytes than it needs.
    #expect(code(of: good(frame: frame, [0xed, 0xa0, 0x80])) == .badFrame)
    #expect(code(of: good(frame: frame, [0xc0, 0xaf])) == .badFrame)
  }

  @Test func aThousandAttachmentsAreKeptInOrder() throws {
    let attachments = (0..<1_000).map { Data("\($0)".utf8) }
    #expect(try RequestFrames(frames: Self.good.prefix(5) + attachments).attachments == attachments)
  }

  @Test func framesThatAreSlicesOfLargerBuffersAreRead() throws {
    let sliced = Self.good.map { frame in
      let padded = Data([9, 9, 9]) + frame + Data([9])
      return padded[3..<(3 + frame.count)]
    }
    let read = try RequestFrames(frames: sliced)
    #expect(read.frames == Self.good)
  }

  @Test func repliesAndEventsThatEndEarlyAreRefused() {
    let reply = ReplyFrames(id: RequestID(UUID()), outcome: .ok(Data("{}".utf8))).frames
    for count in 0..<reply.count {
      #expect(throws: WireError.self) { try ReplyFrames(frames: Array(reply.prefix(count))) }
    }
    let event = EventFrames(topic: "w/account/a;", epoch: 1, sequence: 2, name: "n", body: Data()).frames
    for count in 0..<event.count {
      #expect(throws: WireError.self) { try EventFrames(frames: Array(event.prefix(count))) }
    }
    for count in 0..<24 {
      #expect(throws: WireError.self) {
        try EventFrames(frames: [event[0], event[1].prefix(count), event[2], event[3]])
      }
    }
  }

  @Test func anErrorReplyWithAnUnknownCodeKeepsIt() throws {
    let body = Data(#"{"code":"tooHot","message":"wait","refusal":"heat"}"#.utf8)
    let header = ReplyFrames(id: nil, outcome: .ok(Data())).frames[0]
    let reply = try ReplyFrames(frames: [header, Data(count: 16), Data("tooHot".utf8), body])
    guard case .failed(let error) = reply.outcome else {
      Issue.record("an error reply was read as a success")
      return
    }
    #expect(error.code.rawValue == "tooHot" && error.refusal?.rawValue == "heat" && !error.isRetriable)
  }
}
