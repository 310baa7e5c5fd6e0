import Foundation
import Testing
import Wire

@Suite(.timeLimit(.minutes(2))) struct ZMQMonitorTests {
  @Test func aPeerThatIsDroppedForAnOversizedFrameIsReported() async throws {
    try await withReactor { context, reactor in
      let server = TestPeer(context, reactor)
      let client = TestPeer(context, reactor)
      try await server.open(.router, .unbounded { $0.maxMessageSize = 1000 }, monitored: true) { $0 }
      let endpoint = try await server.bind("tcp://127.0.0.1:*")
      try await client.open(.dealer, monitored: true)
      try await client.connect(endpoint)
      #expect(try await client.send([Data(count: 1000)]))
      #expect(try await client.next() == [Data(count: 1000)])
      #expect(await server.event(.accepted).endpoint == endpoint)
      #expect(await server.event(.handshakeSucceeded).endpoint == endpoint)
      #expect(await client.event(.connected).endpoint == endpoint)

      #expect(try await client.send([Data(count: 1001)]))
      #expect(await server.event(.disconnected).endpoint == endpoint)
      #expect(await client.event(.disconnected).endpoint == endpoint)
    }
  }

  @Test func whoDoesNotSpeakZMTPFailsItsHandshake() async throws {
    try await withReactor { context, reactor in
      let server = TestPeer(context, reactor)
      try await server.open(.router, .unbounded { $0.handshakeInterval = .milliseconds(50) }, monitored: true)
      let endpoint = try await server.bind("tcp://127.0.0.1:*")
      let port = try #require(in_port_t(endpoint.split(separator: ":").last ?? ""))
      let stranger = connectTCP(port: port)
      defer { close(stranger) }
      _ = await server.event(.accepted)
      _ = await server.event(.disconnected)
    }
  }

  @Test func aSecondMonitorTakesTheEventsOver() async throws {
    try await withReactor { context, reactor in
      try await reactor.run {
        let socket = try ZMQSocket(.router, options: .unbounded, context: context, reactor: reactor)
        let first = try ZMQMonitor(socket) { _ in }
        let second = try ZMQMonitor(socket) { _ in }
        first.stop()
        _ = try socket.bind("tcp://127.0.0.1:*")
        second.stop()
        second.stop()
        socket.close()
      }
    }
  }

  @Test func theEndOfABusyMonitoredSocketHangsNothing() async throws {
    for _ in 0..<20 {
      try await withReactor { context, reactor in
        let server = TestPeer(context, reactor)
        try await server.open(.router, monitored: true) { $0 }
        let endpoint = try await server.bind("tcp://127.0.0.1:*")
        let client = TestPeer(context, reactor)
        try await client.open(.dealer, monitored: true)
        try await client.connect(endpoint)
        #expect(try await client.send("hi"))
        _ = try await client.next()
        await server.close()
      }
    }
  }
}

private func connectTCP(port: in_port_t) -> Int32 {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  _ = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  return descriptor
}
