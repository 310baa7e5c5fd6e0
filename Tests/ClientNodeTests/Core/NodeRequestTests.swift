import ClientNode
import Foundation
import Testing
import Wire

@Suite struct NodeRequestTests {
  private func ask(_ name: String, of node: String, _ bench: inout Bench) -> ReplyFrames? {
    let request = RequestFrames(
      id: RequestID(UUID()), address: ActorAddress(world: FakeStore.world, kind: .node, key: node), name: name,
      body: Data("{}".utf8))
    bench.feed(.received(.control, request.frames))
    return bench.controlReplies[request.id]
  }

  @Test func requestToTheNodeIsAnsweredByItsHost() {
    var bench = Bench()
    bench.start()
    guard case .ok(let body)? = ask("echo", of: "node", &bench)?.outcome else {
      Issue.record("the host's answer did not come back")
      return
    }
    #expect(body == Data("{}".utf8))
    guard case .failed(let error)? = ask("odd", of: "node", &bench)?.outcome else {
      Issue.record("the host's refusal did not come back")
      return
    }
    #expect(error.code == .unknownName)
  }

  @Test func requestToAnotherNodeIsRefused() {
    var bench = Bench()
    bench.start()
    guard case .failed(let error)? = ask("echo", of: "other", &bench)?.outcome else {
      Issue.record("a request to another node got no error")
      return
    }
    #expect(error.code == .unknownAddress)
  }

  @Test func onlyTheControlLinkNamesTheDevices() {
    var bench = Bench()
    bench.holdsMessages = true
    bench.start()
    var named: [ClientLink: Int] = [:]
    for case .request(let link, let frames) in bench.wire {
      guard let request = try? RequestFrames(frames: frames), request.name == Hello.name,
        let hello = try? WireJSON.decode(Hello.self, from: request.body)
      else { continue }
      named[link] = max(named[link] ?? 0, hello.devices.count)
    }
    #expect(named == [.store: 0, .control: 1])
  }

  @Test func whoIsUpSaysHelloOverTheControlLinkAtEachHeartbeatAndSeldomOverTheOther() {
    var bench = Bench()
    bench.start()
    let before = bench.hellos
    bench.advance(30_500)
    #expect(bench.hellos[.control, default: 0] - before[.control, default: 0] == 30)
    #expect(bench.hellos[.store, default: 0] - before[.store, default: 0] == 3)
  }

  @Test func whoHearsNoHeartbeatsSaysHelloOverBothLinks() {
    var bench = Bench()
    bench.start()
    bench.heartbeats = false
    bench.isStoreLinkUp = false
    bench.advance(4_000)
    let before = bench.hellos
    bench.advance(3_000)
    #expect(bench.hellos[.store, default: 0] - before[.store, default: 0] >= 3)
  }

  @Test func reportsThatNobodyAskedForStaySmall() {
    var bench = Bench()
    bench.start()
    bench.launch()
    for _ in 0..<20 { bench.store.buy("coins", for: "alice") }
    bench.advance(1_000)
    #expect(bench.store.reports["phone"]?.updates.count == 8)
    let request = bench.control(InspectDevice())
    let full = bench.report(of: request)
    #expect(full?.updates.count == 20)
    #expect(full?.updates.suffix(8) == bench.store.reports["phone"]?.updates.suffix(8))
  }
}
