import ClientNode
import Foundation
import Shared
import Testing
import Wire

@Suite(.timeLimit(.minutes(1))) struct ClientNodeTests {
  /// Runs `body` with a node whose devices are registered, then stops it in order.
  private func withNode(
    _ devices: [(String, String)], server: FakeServer, endpoint: String, context: ZMQContext, host: TestHost,
    folder: String? = nil, _ body: @Sendable () async throws -> Void
  ) async throws {
    let configuration = ClientNodeConfiguration(
      world: FakeStore.world, node: "node", devices: devices.map { .init(name: $0.0, account: $0.1) },
      requestsEndpoint: endpoint, storeFolder: folder)
    let (ready, readyContinuation) = AsyncStream.makeStream(of: Void.self)
    let node = try ClientNode(
      configuration: configuration, host: host, context: context, onReady: { _ in readyContinuation.yield() })
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await node.run() }
      for await _ in ready { break }
      try await body()
      node.stop()
      try await group.waitForAll()
    }
  }

  private func server(_ context: ZMQContext) async throws -> (FakeServer, String) {
    let server = try FakeServer(context: context)
    let signer = try RealSigner()
    await server.change {
      $0.sign = { signer.sign($0, $1) }
      $0.rootCertificate = signer.authority.rootDER
      $0.heartbeatMilliseconds = 100
    }
    return (server, try await server.start())
  }

  private func launch(_ device: String, _ server: FakeServer) async throws -> DeviceReport {
    await server.reachable()
    guard case .ok(let body) = await server.control(LaunchDevice(), device).outcome else {
      throw WireError(.internalError, "no launch")
    }
    return try WireJSON.decode(DeviceReport.self, from: body)
  }

  @Test func purchaseOnOnePhoneReachesTheOtherOverRealSockets() async throws {
    let context = try ZMQContext()
    let (server, endpoint) = try await server(context)
    let host = TestHost()
    try await withNode(
      [("phone", "alice"), ("tablet", "alice")], server: server, endpoint: endpoint, context: context, host: host
    ) {
      #expect(try await launch("phone", server).incarnation == 1)
      #expect(try await launch("tablet", server).incarnation == 1)
      guard case .ok(let body) = await server.control(TapBuy(productId: "pro"), "phone").outcome else {
        Issue.record("the tap failed")
        return
      }
      let reply = try WireJSON.decode(TapBuy.Reply.self, from: body)
      #expect(reply.phase == "completed", "\(reply)")
      await host.wait(for: 1)
      let id = try #require(TransactionID(reply.message ?? ""))
      #expect(await host.seen == [TestHost.Seen(device: "tablet", transaction: id, failure: nil)])
      let list = await host.daemons["phone"]?.transactions(.currentEntitlements)
      #expect(list?.map(\.record.transactionId) == [id])
      #expect(list?.first?.failure == nil)
      #expect(await server.change { $0.accounts["alice"]?.history.unfinished.isEmpty } == true)
    }
    // The listeners of both phones ended with the node.
    await host.wait(for: 3)
    #expect(await host.ended == 2)
    await server.stop()
  }

  @Test(arguments: [
    (TamperCopies.Fault.tampered, VerificationFailure.invalidSignature), (.unparsable, .invalidEncoding),
    (.foreignRoot, .invalidCertificateChain), (.wrongBundle, .invalidDeviceVerification),
  ])
  func spoiledCopiesAreFoundOut(fault: TamperCopies.Fault, failure: VerificationFailure) async throws {
    let context = try ZMQContext()
    let (server, endpoint) = try await server(context)
    let host = TestHost()
    try await withNode(
      [("phone", "alice")], server: server, endpoint: endpoint, context: context, host: host
    ) {
      _ = try await launch("phone", server)
      _ = await server.control(TamperCopies(fault: fault), "phone")
      _ = await server.change { $0.buy("pro", for: "alice") }
      await host.wait(for: 1)
      #expect(await host.seen.map(\.failure) == [failure])
    }
    await server.stop()
  }

  @Test func phonesAreAsTheyWereAfterTheProcessStartsAgain() async throws {
    let folder = TemporaryFolder()
    let context = try ZMQContext()
    let (server, endpoint) = try await server(context)
    let first = TestHost()
    try await withNode(
      [("phone", "alice")], server: server, endpoint: endpoint, context: context, host: first, folder: folder.path
    ) {
      _ = try await launch("phone", server)
      _ = await server.change { $0.buy("pro", for: "alice") }
      await first.wait(for: 1)
      _ = await server.control(SetOnline(online: false), "phone")
    }
    await server.forgetPeer()
    let second = TestHost()
    try await withNode(
      [("phone", "alice")], server: server, endpoint: endpoint, context: context, host: second, folder: folder.path
    ) {
      let report = try await launch("phone", server)
      #expect(report.incarnation == 2)
      #expect(!report.online)
      await second.wait(for: 1)
      #expect(await second.seen == first.seen)
    }
    await server.stop()
  }

  @Test func phonesFollowAServerThatStartsAnewAtTheSamePlace() async throws {
    // A context of its own for each server life, so that the port is free again when it has ended.
    let context = try ZMQContext()
    let firstContext = try ZMQContext()
    let (first, endpoint) = try await server(firstContext)
    let host = TestHost()
    try await withNode([("phone", "alice")], server: first, endpoint: endpoint, context: context, host: host) {
      _ = try await launch("phone", first)
      var store = await first.store
      await first.stop()
      #expect(await firstContext.terminate())
      store.restart()
      // Nobody hears of this one when it happens.
      let id = store.buy("pro", for: "alice")
      store.published = []
      let second = try FakeServer(context: context, store: store)
      _ = try await second.start(at: endpoint)
      await host.wait(for: 1)
      #expect(await host.seen.map(\.transaction) == [id])
      await second.reachable()
      let next = await second.change { $0.buy("extra", for: "alice") }
      await second.beat()
      await host.wait(for: 2)
      #expect(await host.seen.map(\.transaction) == [id, next])
      await second.stop()
    }
  }

  @Test func callsAfterTheNodeHasGoneAreRefused() async throws {
    let context = try ZMQContext()
    let (server, endpoint) = try await server(context)
    let host = TestHost()
    let kept = Kept()
    try await withNode(
      [("phone", "alice")], server: server, endpoint: endpoint, context: context, host: host
    ) {
      _ = try await launch("phone", server)
      await kept.keep(await host.daemons["phone"])
    }
    let daemon = try #require(await kept.daemon)
    await #expect(throws: DaemonError.appNotRunning) { try await daemon.sync() }
    #expect(await daemon.updates().next() == nil)
    #expect(await daemon.transactions(.all) == [])
    await server.stop()
  }

  @Test func wrongTokenEndsRunWithASentence() async throws {
    let context = try ZMQContext()
    let (server, endpoint) = try await server(context)
    await server.change { $0.token = "secret" }
    let node = try ClientNode(
      configuration: ClientNodeConfiguration(
        world: FakeStore.world, node: "node", devices: [.init(name: "phone", account: "alice")],
        requestsEndpoint: endpoint), host: TestHost(), context: context)
    let error = await #expect(throws: ClientNodeError.self) { try await node.run() }
    #expect(error?.code == .unauthorized)
    await server.stop()
  }

  @Test func configurationsThatCannotWorkAreRefused() {
    func error(_ devices: [ClientNodeConfiguration.Device]) -> ClientNodeError? {
      let configuration = ClientNodeConfiguration(
        world: "w", node: "node", devices: devices, requestsEndpoint: "tcp://127.0.0.1:1")
      do throws(ClientNodeError) {
        try configuration.check()
        return nil
      } catch { return error }
    }
    #expect(error([])?.message.contains("no devices") == true)
    #expect(error([.init(name: "a/b", account: "x")])?.message.contains("'a/b'") == true)
    let twice = [ClientNodeConfiguration.Device(name: "a", account: "x"), .init(name: "a", account: "y")]
    #expect(error(twice)?.message.contains("named twice") == true)
  }

  private actor Kept {
    var daemon: (any StoreDaemon)?
    func keep(_ daemon: (any StoreDaemon)?) { self.daemon = daemon }
  }
}
