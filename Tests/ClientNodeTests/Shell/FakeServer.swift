import Foundation
import Shared
import Wire

/// `FakeStore` behind real sockets.
actor FakeServer {
  private nonisolated let reactor: Reactor
  nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

  private let context: ZMQContext
  private(set) var store: FakeStore
  private var router: ZMQSocket?
  private var publisher: ZMQSocket?
  private var eventsEndpoint = ""
  /// The connection that takes messages for the devices, and who waits for their replies.
  private var controlPeer: Data?
  private var reachers: [CheckedContinuation<Void, Never>] = []
  private var waiting: [RequestID: CheckedContinuation<ReplyFrames, Never>] = [:]

  init(context: ZMQContext, store: FakeStore = FakeStore()) throws {
    self.context = context
    self.store = store
    reactor = try Reactor(name: "fake-server")
  }

  deinit { reactor.stop() }

  func start(at endpoint: String = "tcp://127.0.0.1:*") throws -> String {
    let options = ZMQSocketOptions(sendHighWaterMark: 0, receiveHighWaterMark: 0)
    let router = try ZMQSocket(.router, options: options, context: context, reactor: reactor)
    let endpoint = try router.bind(endpoint)
    try reactor.add(router) { [unowned self] _, message in
      if case .success(let frames) = message { self.assumeIsolated { $0.received(frames) } }
    }
    var verbose = options
    verbose.xpubVerbose = true
    let publisher = try ZMQSocket(.xpub, options: verbose, context: context, reactor: reactor)
    eventsEndpoint = try publisher.bind("tcp://127.0.0.1:*")
    try reactor.add(publisher) { [unowned self] _, message in
      if case .success(let frames) = message { self.assumeIsolated { $0.subscribed(frames) } }
    }
    self.router = router
    self.publisher = publisher
    store.eventsEndpoint = eventsEndpoint
    return endpoint
  }

  func stop() async {
    router?.close()
    publisher?.close()
    reactor.stop()
  }

  func change<Result: Sendable>(_ body: @Sendable (inout FakeStore) -> Result) -> Result {
    defer { publish() }
    return body(&store)
  }

  func control(_ message: some Request & Sendable, _ device: String) async -> ReplyFrames {
    let id = RequestID(UUID())
    let address = ActorAddress(world: FakeStore.world, kind: .device, key: device)
    let frames = RequestFrames(message, to: address, id: id).frames
    return await withCheckedContinuation { continuation in
      waiting[id] = continuation
      _ = try? router?.send([controlPeer ?? Data()] + frames)
    }
  }

  private func received(_ frames: [Data]) {
    let peer = frames[0]
    let message = Array(frames.dropFirst())
    if let request = try? RequestFrames(frames: message) {
      // Reports come over the link that takes messages for the devices.
      if request.name == ReportDevices.name { reached(at: peer) }
      let reply = store.handle(request)
      _ = try? router?.send([peer] + reply.frames)
      publish()
    } else if let reply = try? ReplyFrames(frames: message), let id = reply.id {
      waiting.removeValue(forKey: id)?.resume(returning: reply)
    }
  }

  /// Waits until devices can be reached: they have reported.
  func reachable() async {
    if controlPeer != nil { return }
    await withCheckedContinuation { reachers.append($0) }
  }

  /// The node that was there has gone.
  func forgetPeer() { controlPeer = nil }

  private func reached(at peer: Data) {
    controlPeer = peer
    for reacher in reachers { reacher.resume() }
    reachers = []
  }

  private func subscribed(_ frames: [Data]) {
    guard case .subscribe(let topic)? = ZMQSubscriptionChange(frames),
      let event = store.echo(String(decoding: topic, as: UTF8.self))
    else { return }
    _ = try? publisher?.send(event.frames)
  }

  private func publish() {
    for event in store.published { _ = try? publisher?.send(event.frames) }
    store.published = []
  }

  func beat() {
    _ = try? publisher?.send(store.heartbeat(recent: Array(store.accounts.keys)).frames)
  }
}
