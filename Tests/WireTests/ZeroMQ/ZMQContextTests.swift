import Foundation
import Testing
import Wire

@Suite(.timeLimit(.minutes(2))) struct ZMQContextTests {
  @Test func oneSocketTooManyIsAnErrorThatSaysHowManyThereMayBe() async throws {
    let context = try ZMQContext(maximumSockets: 3)
    let reactor = try Reactor(name: "limited")
    let error = await #expect(throws: ZMQError.self) {
      try await reactor.run {
        for _ in 0..<4 { _ = try ZMQSocket(.dealer, options: .unbounded, context: context, reactor: reactor) }
      }
    }
    #expect(error?.code == .tooManyOpenFiles)
    #expect("\(try #require(error))".contains("all 3 sockets of this context are in use"))
    reactor.stop()
    await reactor.join()
    #expect(await context.terminate())
  }

  @Test func aContextForMoreSocketsThanLibzmqAllowsIsRefused() throws {
    // Whichever comes first on this machine, the descriptors or libzmq's own limit.
    #expect(throws: ZMQError.self) { _ = try ZMQContext(maximumSockets: 10_000_000) }
  }

  @Test func openingAndClosingInALoopNeverRunsOut() async throws {
    try await withReactor { context, reactor in
      for _ in 0..<100 {
        try await reactor.run {
          for _ in 0..<50 {
            try ZMQSocket(.dealer, options: .unbounded, context: context, reactor: reactor).close()
          }
        }
      }
    }
  }

  @Test func runningOutOfDescriptorsIsAnErrorAndNoAbort() async {
    await #expect(processExitsWith: .success) {
      let context = try ZMQContext(maximumSockets: 300)
      let reactor = try Reactor(name: "hungry")
      var limit = rlimit(rlim_cur: 100, rlim_max: 100)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      do {
        try await reactor.run {
          for _ in 0..<300 {
            let socket = try ZMQSocket(.router, options: .unbounded, context: context, reactor: reactor)
            _ = try socket.bind("tcp://127.0.0.1:*")
          }
        }
        exit(2)
      } catch let error as ZMQError {
        exit(error.code == .tooManyOpenFiles && error.description.contains("ulimit -n") ? 0 : 3)
      }
    }
  }

  @Test func aSoftLimitThatIsTooLowIsRaisedAndAHardOneRefused() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 64, rlim_max: 1000)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      _ = try ZMQContext(maximumSockets: 400)
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      guard limit.rlim_cur >= 800 else { exit(2) }
      do throws(ZMQError) {
        _ = try ZMQContext(maximumSockets: 600)
        exit(3)
      } catch {
        exit(error.description.contains("this process may have 1000") ? 0 : 4)
      }
    }
  }

  @Test func childrenInheritNoSocket() async {
    await #expect(processExitsWith: .success) {
      let before = inheritable()
      let context = try ZMQContext()
      let reactor = try Reactor(name: "parent")
      let server = TestPeer(context, reactor)
      try await server.open(.router, monitored: true) { $0 }
      for transport in TestEndpoint.allCases {
        let endpoint = try await server.bind(transport.unused)
        defer { removeFile(of: endpoint) }
        let client = TestPeer(context, reactor)
        try await client.open(.dealer)
        try await client.connect(endpoint)
        guard try await client.send("hi") else { exit(2) }
        _ = try await client.next()
      }
      exit(inheritable() == before ? 0 : 3)
    }
  }

  @Test func terminationIsBoundedThoughASocketIsOpen() async throws {
    let context = try ZMQContext()
    let reactor = try Reactor(name: "leaky")
    let peer = TestPeer(context, reactor)
    try await peer.open(.dealer)
    #expect(await context.terminate(within: .milliseconds(20)) == false)
    let error = await #expect(throws: ZMQError.self) { try await peer.send("late") }
    #expect(error?.code == .terminated)
    reactor.stop()
    await reactor.join()
    #expect(await context.terminate(within: .seconds(10)))
  }

  @Test func terminationWaitsForAnUnreachablePeerNoLongerThanTheLinger() async throws {
    try await withReactor { context, reactor in
      let client = TestPeer(context, reactor)
      try await client.open(.dealer, .unbounded { $0.linger = .milliseconds(20) })
      try await client.connect("tcp://127.0.0.1:9")
      #expect(try await client.send("nobody reads this"))
    }
  }

  @Test func aTerminatedContextOpensNothing() async throws {
    let context = try ZMQContext()
    #expect(await context.terminate())
    #expect(await context.terminate())
    let reactor = try Reactor(name: "after")
    let error = await #expect(throws: ZMQError.self) { try await TestPeer(context, reactor).open(.dealer) }
    #expect(error?.code == .terminated)
    reactor.stop()
    await reactor.join()
  }
}

/// The descriptors that a child process would get.
private func inheritable() -> Set<Int32> {
  Set((0..<1024).filter { fcntl($0, F_GETFD) & FD_CLOEXEC == 0 })
}
