import Foundation
import Testing
import Wire

@Suite(.timeLimit(.minutes(2))) struct ZMQSocketTests {
  @Test(arguments: TestEndpoint.allCases)
  func replyComesBackToTheDealerThatAsked(_ transport: TestEndpoint) async throws {
    try await withReactor { context, reactor in
      let server = TestPeer(context, reactor)
      let client = TestPeer(context, reactor)
      try await server.open(.router) { [$0[0], $0[1], Data("re: ".utf8) + $0[2]] }
      let endpoint = try await server.bind(transport.unused)
      defer { removeFile(of: endpoint) }
      #expect(!endpoint.contains("*"))
      try await client.open(.dealer)
      try await client.connect(endpoint)
      #expect(try await client.send("1", "hello"))
      #expect(try await client.nextTexts() == ["1", "re: hello"])
      #expect(try await client.send([Data(), Data(repeating: 7, count: 3_000_000)]))
      let large = try await client.next()
      #expect(large[0].isEmpty)
      #expect(large[1].count == 3_000_004)
    }
  }

  @Test func fourThousandRequestsAtOnceAllGetTheirReply() async throws {
    try await withReactor { context, reactor in
      let server = TestPeer(context, reactor)
      let client = TestPeer(context, reactor)
      try await server.open(.router) { $0 }
      try await client.open(.dealer)
      try await client.connect(try await server.bind("tcp://127.0.0.1:*"))
      let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<4096 {
          group.addTask {
            guard try await client.send("\(number)", "body") else { return -1 }
            return Int(try await client.nextTexts()[0]) ?? -2
          }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(numbers == Set(0..<4096))
    }
  }

  @Test func aFullQueueRefusesAWholeMessage() async throws {
    try await withReactor { context, reactor in
      let server = TestPeer(context, reactor)
      let client = TestPeer(context, reactor)
      try await server.open(.router, ZMQSocketOptions(sendHighWaterMark: 0, receiveHighWaterMark: 2))
      let endpoint = try await server.bind("inproc://\(UUID())")
      try await client.open(.dealer, ZMQSocketOptions(sendHighWaterMark: 2, receiveHighWaterMark: 0))
      try await client.connect(endpoint)
      let sent = try await client.fill(frames: ["a", "b", "c"])
      #expect(sent >= 2)
      for _ in 0..<sent { #expect(try await server.nextTexts().dropFirst() == ["a", "b", "c"]) }
    }
  }

  @Test func aDealerWithoutAPeerWouldBlock() async throws {
    try await withReactor { context, reactor in
      let client = TestPeer(context, reactor)
      try await client.open(.dealer)
      #expect(try await client.send("nobody is there") == false)
    }
  }

  @Test func aMessageHasAtLeastOneFrame() async throws {
    try await withReactor { context, reactor in
      let client = TestPeer(context, reactor)
      try await client.open(.dealer)
      let error = await #expect(throws: ZMQError.self) { try await client.send([Data]()) }
      #expect(error?.code == .invalid)
    }
  }

  @Test func anUnknownPeerOfAMandatoryRouterIsAnErrorAndTheRouterGoesOn() async throws {
    try await withReactor { context, reactor in
      let server = TestPeer(context, reactor)
      let client = TestPeer(context, reactor)
      try await server.open(.router, .unbounded { $0.routerMandatory = true })
      let endpoint = try await server.bind("tcp://127.0.0.1:*")
      let error = await #expect(throws: ZMQError.self) { try await server.send("nobody", "a", "b") }
      #expect(error?.code == .hostUnreachable)
      #expect("\(try #require(error))".hasSuffix("no peer with this routing id is connected."))

      try await client.open(.dealer, .unbounded { $0.routingID = Data("alice".utf8) })
      try await client.connect(endpoint)
      #expect(try await client.send("hi"))
      #expect(try await server.nextTexts() == ["alice", "hi"])
      #expect(try await server.send("alice", "a", "b"))
      #expect(try await client.nextTexts() == ["a", "b"])
    }
  }

  @Test func anOversizedMessageOfManyFramesIsDrainedAndReportedAndTheNextArrives() async throws {
    try await withReactor { context, reactor in
      let server = TestPeer(context, reactor)
      let client = TestPeer(context, reactor)
      try await server.open(.router)
      try await client.open(.dealer)
      try await client.connect(try await server.bind("tcp://127.0.0.1:*"))
      let most = Array(repeating: Data("x".utf8), count: ZMQSocket.maximumFrames - 1)
      #expect(try await client.send(most))
      #expect(try await client.send(Array(repeating: Data("x".utf8), count: 100_000)))
      #expect(try await client.send("next"))
      #expect(try await server.next().count == ZMQSocket.maximumFrames)
      let error = await #expect(throws: ZMQError.self) { try await server.next() }
      #expect(error?.code == .tooManyFrames)
      #expect(
        "\(try #require(error))".contains("127.0.0.1 sent one of 100001 frames and at most \(ZMQSocket.maximumFrames)"))
      #expect(try await server.nextTexts().last == "next")
    }
  }

  @Test func messagesSentJustBeforeCloseArrive() async throws {
    try await withReactor { context, reactor in
      let server = TestPeer(context, reactor)
      let client = TestPeer(context, reactor)
      try await server.open(.router)
      try await client.open(.dealer, .unbounded { $0.linger = .seconds(10) })
      try await client.connect(try await server.bind("tcp://127.0.0.1:*"))
      for number in 0..<1000 {
        #expect(try await client.send([Data("\(number)".utf8), Data(count: 10_000)]))
      }
      await client.close()
      for number in 0..<1000 { #expect(try await server.nextTexts()[1] == "\(number)") }
    }
  }

  @Test func aClosedSocketThrows() async throws {
    try await withReactor { context, reactor in
      let client = TestPeer(context, reactor)
      try await client.open(.dealer)
      await client.close()
      await client.close()
      let error = await #expect(throws: ZMQError.self) { try await client.send("late") }
      #expect(error?.code == .closed)
    }
  }

  @Test func afterDisconnectNobodyIsThere() async throws {
    try await withReactor { context, reactor in
      let server = TestPeer(context, reactor)
      let client = TestPeer(context, reactor)
      try await server.open(.router) { $0 }
      let endpoint = try await server.bind("tcp://127.0.0.1:*")
      try await client.open(.dealer)
      try await client.connect(endpoint)
      #expect(try await client.send("hi"))
      _ = try await client.next()
      try await client.disconnect(endpoint)
      #expect(try await client.send("gone") == false)
      let error = await #expect(throws: ZMQError.self) { try await client.disconnect(endpoint) }
      #expect(error?.code == .notFound)
    }
  }

  @Test func optionsOutOfRangeAreNamed() async throws {
    try await withReactor { context, reactor in
      let peer = TestPeer(context, reactor)
      let wrong: [(String, ZMQSocketOptions)] = [
        ("routingID", .unbounded { $0.routingID = Data() }),
        ("sendHighWaterMark", ZMQSocketOptions(sendHighWaterMark: -1, receiveHighWaterMark: 0)),
        ("linger", .unbounded { $0.linger = .seconds(100 * 86400) }),
        (
          "heartbeat.timeToLive",
          .unbounded { $0.heartbeat = .init(interval: .seconds(1), timeout: .seconds(1), timeToLive: .seconds(9999)) }
        ),
      ]
      for (name, options) in wrong {
        let error = await #expect(throws: ZMQError.self) { try await peer.open(.dealer, options) }
        #expect("\(try #require(error))".contains(" \(name) "))
      }
      try await peer.open(
        .dealer,
        .unbounded {
          $0.heartbeat = .init(interval: .seconds(1), timeout: .seconds(3), timeToLive: .seconds(6))
          $0.reconnect = .init(interval: .milliseconds(50), maximum: .seconds(2))
          $0.handshakeInterval = .seconds(5)
          $0.tcpKeepalive = .init(idle: .seconds(30), interval: .seconds(5), probes: 3)
          $0.immediate = true
          $0.backlog = 1000
          $0.maxMessageSize = 1 << 20
        })
    }
  }

  @Test func useOnAnotherThreadTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Smuggled: @unchecked Sendable { let socket: ZMQSocket }
      let context = try ZMQContext()
      let reactor = try Reactor(name: "owner")
      let smuggled = try await reactor.run {
        Smuggled(socket: try ZMQSocket(.dealer, options: .unbounded, context: context, reactor: reactor))
      }
      _ = try smuggled.socket.send([Data()])
    }
    #expect(result.map(standardError(of:))?.contains("only be used on the thread of the reactor 'owner'") == true)
  }
}

extension TestPeer {
  /// Sends until the queue is full.
  fileprivate func fill(frames: [String]) throws -> Int {
    var sent = 0
    while try send(frames.map { Data($0.utf8) }) { sent += 1 }
    return sent
  }
}
