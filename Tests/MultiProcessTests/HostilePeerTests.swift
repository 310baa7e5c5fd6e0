import Fleet
import FleetTesting
import Foundation
import Shared
import Testing
import Wire

/// Peers that send what no peer should.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct HostilePeerTests {
  private static let id = RequestID(UUID())
  private static let good = RequestFrames(
    DescribeWorld(), to: ActorAddress(world: "main", kind: .world, key: "main"), id: id
  ).frames

  private static func spoiled(_ place: Int, _ frame: Data) -> [Data] {
    var frames = good
    frames[place] = frame
    return frames
  }

  @Test func badFramesAreAnsweredWithAnError() async throws {
    try await withFleet { fleet in
      let peer = try await HostilePeer(fleet)
      try await peer.introduce(token: fleet.processes.token)
      func code(_ frames: [Data]) async throws -> WireError.Code? {
        guard case .failed(let error) = try await peer.ask(frames).outcome else { return nil }
        #expect(!error.message.isEmpty)
        return error.code
      }
      let notText = Data([0xC3, 0x28, 0xFF])
      #expect(try await code([Data()]) == .badFrame)
      #expect(try await code([Data("SF".utf8)]) == .badFrame)
      #expect(try await code(Array(Self.good.prefix(3))) == .badFrame, "truncated")
      #expect(try await code(Self.spoiled(1, Data([1, 2, 3]))) == .badFrame, "a short id")
      #expect(try await code(Self.spoiled(2, notText)) == .badFrame, "an address that is no text")
      #expect(try await code(Self.spoiled(2, Data("main/world".utf8))) == .badFrame, "half an address")
      #expect(try await code(Self.spoiled(2, Data("../../etc".utf8))) == .badFrame, "no names")
      #expect(try await code(Self.spoiled(3, notText)) == .badFrame, "a name that is no text")
      #expect(try await code(Self.spoiled(3, Data("stealAll".utf8))) == .unknownName)
      #expect(try await code(Self.spoiled(3, Data("createWorld".utf8))) == .badBody, "the body of another message")
      #expect(try await code(Self.spoiled(4, notText)) == nil, "describeWorld reads nothing of its body")
      var future = Self.good[0]
      future[future.startIndex + 2] = 9
      #expect(try await code(Self.spoiled(0, future)) == .unsupportedVersion)
      // The same connection still works, and so does another one.
      guard case .ok = try await peer.ask(Self.good).outcome else { throw Overdue(description: "no good answer") }
      #expect(try await fleet.ask(DescribeWorld(), of: fleet.world).world == "main")
    }
  }

  @Test func aMessageOfTooManyFramesIsLoggedAndPassedOver() async throws {
    try await withFleet { fleet in
      let peer = try await HostilePeer(fleet)
      try await peer.introduce(token: fleet.processes.token)
      try await peer.send(Array(repeating: Data(), count: 2_000))
      guard case .ok = try await peer.ask(Self.good).outcome else { throw Overdue(description: "no good answer") }
      let log = try String(contentsOfFile: fleet.processes.folder.logPath(of: "server"), encoding: .utf8)
      #expect(log.contains("a message was not taken"), "\(log)")
    }
  }

  @Test func whoDoesNotKnowTheTokenIsRefused() async throws {
    try await withFleet { fleet in
      let peer = try await HostilePeer(fleet)
      guard case .failed(let before) = try await peer.ask(Self.good).outcome else {
        throw Overdue(description: "a stranger was answered")
      }
      #expect(before.code == .helloFirst)
      await #expect { try await peer.introduce(token: "guess") } throws: { ($0 as? WireError)?.code == .unauthorized }
      guard case .failed(let after) = try await peer.ask(Self.good).outcome else {
        throw Overdue(description: "a stranger was answered")
      }
      #expect(after.code == .helloFirst)
    }
  }

  @Test func aFrameAboveTheLimitEndsTheConnectionAndIsLogged() async throws {
    try await withFleet(["alice": ["phone"]]) { fleet in
      let peer = try await HostilePeer(fleet)
      try await peer.introduce(token: fleet.processes.token)
      try await peer.send(Self.spoiled(4, Data(count: (64 << 20) + 1)))
      try await peer.disconnected()
      // The server goes on serving, the one who did it too, on its next connection.
      #expect(try await fleet.device("phone").buy(Product.coins) == .completed)
      try await peer.introduce(token: fleet.processes.token)
      let log = try String(contentsOfFile: fleet.processes.folder.logPath(of: "server"), encoding: .utf8)
      #expect(log.contains("sent a frame above the size limit"))
    }
  }
}
