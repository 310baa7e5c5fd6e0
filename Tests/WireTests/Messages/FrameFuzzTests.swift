import Foundation
import Shared
import Testing
import Wire

/// Random and randomly spoiled messages: whatever is not refused survives being written and read again. A failure names
/// its seed.
@Suite struct FrameFuzzTests {
  private static let rounds = 2_000

  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func spoiledMessagesAreRefusedOrReadNeverFatal(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Self.rounds {
      var frames = seeds.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &random) { spoil(&frames, &random) }
      check(frames)
    }
  }

  @Test(arguments: [5, 6] as [UInt64]) func noiseIsRefusedOrReadNeverFatal(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Self.rounds {
      check(
        (0..<Int.random(in: 0...8, using: &random)).map { _ in noise(Int.random(in: 0...40, using: &random), &random) })
    }
  }

  @Test(arguments: [7, 8] as [UInt64]) func spoiledBodiesAreRefusedOrReadNeverFatal(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Self.rounds {
      guard let example = MessageExample.all.randomElement(using: &random) else { return }
      var frames = [example.json]
      for _ in 0..<Int.random(in: 1...3, using: &random) { spoil(&frames, &random) }
      _ = try? example.rewrite(frames.first ?? Data())
    }
  }

  @Test func bodiesNestedBeyondReasonAreRefused() {
    let body = Data(String(repeating: "[", count: 200_000).utf8)
    #expect(throws: WireError.self) { try WireJSON.decode(CatchUp.self, from: body) }
  }

  private var seeds: [[Data]] {
    let alice = ActorAddress(world: "demo", kind: .account, key: "alice")
    let id = RequestID(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    return [
      RequestFrames(CatchUp(epoch: 1, after: 2), to: alice, id: id, attachments: [Data([1])]).frames,
      ReplyFrames(id: id, outcome: .ok(Data("{}".utf8)), attachments: [Data([1])]).frames,
      ReplyFrames(id: id, outcome: .failed(WireError(.refused, "no", refusal: .notYours))).frames,
      EventFrames(topic: alice.topic, epoch: 1, sequence: 2, name: "purchased", body: Data("{}".utf8)).frames,
    ]
  }

  private func check(_ frames: [Data]) {
    if let request = try? RequestFrames(frames: frames) { #expect(request.frames == frames) }
    if let event = try? EventFrames(frames: frames) {
      // A header's unused value and frames beyond the last are passed over.
      #expect((try? EventFrames(frames: event.frames))?.body == event.body)
    }
    if let reply = try? ReplyFrames(frames: frames) { #expect((try? ReplyFrames(frames: reply.frames)) != nil) }
  }

  private func spoil(_ frames: inout [Data], _ random: inout SplitMix64) {
    guard let place = frames.indices.randomElement(using: &random) else { return frames.append(noise(8, &random)) }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: frames.remove(at: place)
    case 1: frames.insert(noise(Int.random(in: 0...20, using: &random), &random), at: place)
    case 2: frames[place] = frames[place].prefix(Int.random(in: 0...frames[place].count, using: &random))
    case 3: frames[place] += noise(Int.random(in: 1...4, using: &random), &random)
    case 4: frames.swapAt(place, 0)
    default:
      guard let byte = frames[place].indices.randomElement(using: &random) else { return }
      frames[place][byte] = UInt8.random(in: .min ... .max, using: &random)
    }
  }

  private func noise(_ count: Int, _ random: inout SplitMix64) -> Data {
    Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
  }
}
