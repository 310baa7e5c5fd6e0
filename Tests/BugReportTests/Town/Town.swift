@testable import ClientNode
import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// A store and its phones in one process: the real cores of both nodes, real signatures, a network in memory and two
/// clocks that only the test moves (the world's, and the monotonic one of timeouts and heartbeats).
final class Town {
  static let world = "town"
  static let start = StoreTime(milliseconds: 1_767_225_600_000)  // 2026-01-01 00:00 UTC

  var server: ServerNodeCore
  var journal = InMemoryJournal()
  var authorities: [String: CertificateAuthority] = [:]
  var offersKeys: [String: OffersKey] = [:]
  var signers: [String: JWSSigner] = [:]
  var serverWakeAt: Int64?
  var phones: [String: Phone] = [:]
  /// Monotonic milliseconds.
  var monotonic: Int64 = 1_000
  var calls: UInt64 = 0
  var iterators: UInt64 = 0
  var seed: UInt64 = 7
  var replies: [RequestID: ReplyFrames] = [:]
  /// Whether the store cannot keep anything.
  var isDiskFull = false
  /// What the developer's server answers to notifications.
  var answersPost: (NotificationPost) -> NotificationPost.Outcome = { _ in .answered(status: 200) }
  /// Requests that phones sent, by name.
  var requests: [String: Int] = [:]
  /// Asked for each message to the store; one that is not let through is lost.
  var letsThrough: (_ phone: String, _ request: String) -> Bool = { _, _ in true }
  let verify: ClientNodeCore.Verify
  private var steps: [Step] = []
  private let control = PeerID(Data("people".utf8))

  enum Step {
    case server(ServerInput)
    case phone(String, start: Int, ClientInput)
  }

  /// - Parameter phones: the phones, each with its account; they are launched.
  init(
    _ phones: KeyValuePairs<String, String> = ["a": "alice", "b": "alice"], catalog: String? = nil,
    gracePeriod: GracePeriod? = nil, asksToBuy: Set<String> = [], habits: String? = nil,
    environment: String = "Sandbox", notificationURLs: NotificationURLs? = nil
  ) throws {
    let verifier = CopyVerifier()
    verify = { verifier.verify($0) }
    server = Town.node()
    steps.append(.server(.recovered(try journal.recover())))
    // The town carries events itself: see `perform`.
    steps.append(.server(.subscribed(topic: "")))
    run()
    try ask(
      CreateWorld(
        catalog: try catalog ?? Town.demoCatalog(), environment: environment, clock: .manual(startsAt: Town.start),
        gracePeriod: gracePeriod,
        habits: try habits.map { try HabitChange(parsing: $0) }, notificationURLs: notificationURLs),
      of: address(.world, Town.world))
    for account in Set(phones.map(\.value)).sorted() { try open(account, asksToBuy: asksToBuy.contains(account)) }
    for (name, account) in phones { try add(name, of: account) }
  }

  static func node() -> ServerNodeCore {
    ServerNodeCore(.init(node: "server", token: "", eventsEndpoint: "inproc://events", mostActors: 100_000, seed: 7))
  }

  static func demoCatalog() throws -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/Demo.storekit")
    return try String(contentsOf: file, encoding: .utf8)
  }

  func address(_ kind: ActorAddress.Kind, _ key: String) -> ActorAddress {
    ActorAddress(world: Town.world, kind: kind, key: key)
  }

  // MARK: Running

  func give(_ input: ServerInput) { steps.append(.server(input)) }

  func give(_ phone: String, _ input: ClientInput) {
    steps.append(.phone(phone, start: phones[phone]?.starts ?? 0, input))
  }

  /// Does what can be done without time passing.
  func run() {
    var next = 0
    while next < steps.count {
      let step = steps[next]
      next += 1
      switch step {
      case .server(let input):
        let moment = Moment(monotonic: monotonic, wall: Town.start.advanced(by: monotonic))
        for effect in server.handle(input, at: moment) { perform(effect) }
      case .phone(let name, let start, let input):
        guard phones[name]?.starts == start else { continue }
        let now = MonotonicTime(microseconds: monotonic * 1_000)
        for effect in phones[name]?.core.handle(input, at: now) ?? [] { perform(effect, name) }
      }
    }
    steps = []
  }

  /// Monotonic time passes until a condition holds.
  /// - Returns: whether it came to hold within that many milliseconds.
  @discardableResult
  func run(atMost milliseconds: Int64, until isDone: () -> Bool = { false }) -> Bool {
    let end = monotonic + milliseconds
    run()
    while !isDone() {
      let due = ([serverWakeAt] + phones.values.map(\.wakeAt)).compactMap { $0 }.min() ?? end
      guard due <= end else {
        monotonic = end
        return isDone()
      }
      monotonic = max(monotonic, due)
      if let wake = serverWakeAt, wake <= monotonic {
        serverWakeAt = nil
        give(.woke)
      }
      for name in phones.keys.sorted() where phones[name]?.wakeAt.map({ $0 <= monotonic }) == true {
        phones[name]?.wakeAt = nil
        give(name, .timerDue)
      }
      run()
      if due == end { break }
    }
    return isDone()
  }

  /// Long enough for everything that is on its way, heartbeats and catching up included.
  func rest() { run(atMost: 3_000) }

  // MARK: Asking the store

  @discardableResult
  func ask<Message: Request>(_ message: Message, of address: ActorAddress) throws -> Message.Reply {
    let greeting = Hello(node: "people", role: .control, token: "")
    send(greeting, to: self.address(.node, "server"), id: RequestID(UUID()))
    let id = RequestID(UUID())
    send(message, to: address, id: id)
    let isAnswered = run(atMost: 60_000) { replies[id] != nil }
    let reply = try #require(isAnswered ? replies.removeValue(forKey: id) : nil, "no reply to \(Message.name)")
    switch reply.outcome {
    case .ok(let body): return try WireJSON.decode(Message.Reply.self, from: body)
    case .failed(let error): throw error
    }
  }

  private func send<Message: Request>(_ message: Message, to address: ActorAddress, id: RequestID) {
    give(.received(peer: control, frames: RequestFrames(message, to: address, id: id).frames))
  }

  /// Asks the daemon of a phone's app; nil while there is no answer within the time an app would wait.
  func call(_ call: DaemonCall, on phone: String, atMost milliseconds: Int64 = 60_000) throws
    -> Result<DaemonAnswer, DaemonError>?
  {
    let id = try begin(call, on: phone)
    run(atMost: milliseconds) { phones[phone]?.answers[id] != nil }
    return phones[phone]?.answers[id]
  }

  /// Asks without waiting.
  func begin(_ call: DaemonCall, on phone: String) throws -> CallID {
    let app = try #require(phones[phone]?.app, "the app of \(phone) does not run")
    calls += 1
    give(phone, .call(CallID(calls), app, call))
    return CallID(calls)
  }
}
