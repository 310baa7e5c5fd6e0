import Foundation
import ServerNode
import Shared
import Synchronization
import Wire

/// A server node without sockets: the core, a writer with its thread, and a SQLite file. Everything but the journal
/// happens on the caller's thread.
final class BenchStore {
  struct Failed: Error, CustomStringConvertible { var description: String }

  private final class Inbox: Sendable {
    private let inputs = Mutex<[ServerInput]>([])
    private let arrival = DispatchSemaphore(value: 0)

    func post(_ input: ServerInput) {
      inputs.withLock { $0.append(input) }
      arrival.signal()
    }

    func next() -> ServerInput {
      arrival.wait()
      return inputs.withLock { $0.removeFirst() }
    }
  }

  private var core: ServerNodeCore
  private var writer: JournalWriter
  private let folder: String
  private let inbox = Inbox()
  private let peer = PeerID(Data("bench".utf8))
  private let authority: CertificateAuthority
  private let offersKey: OffersKey
  private var replies: [RequestID: ReplyFrames] = [:]
  private var wall = BenchStore.start
  /// The groups that were committed while `recordsGroups` was set, each in one transaction.
  var groups: [[JournalAppend]] = []
  var recordsGroups = false
  private(set) var publishedBytes = 0
  private var actors: Set<ActorAddress> = []

  static let start = StoreTime(milliseconds: 1_767_225_600_000)
  static let world = ActorAddress(world: "w", kind: .world, key: "w")

  init(folder: String, timeRate: TimeRate = .realTime, mostActors: Int = 1_000_000) throws {
    self.folder = folder
    core = ServerNodeCore(
      .init(node: "server", eventsEndpoint: "", heartbeatMilliseconds: 1_000_000_000, mostActors: mostActors, seed: 1))
    authority = try CertificateAuthority(world: "w")
    offersKey = try OffersKey.generate(id: "BENCH")
    writer = BenchStore.writer(in: folder)
    feed(.recovered(try start(writer)))
    try ask(Hello(node: "bench", role: .control, token: ""), of: ActorAddress(world: "w", kind: .node, key: "server"))
    try ask(
      CreateWorld(catalog: BenchCatalog.text, clock: .manual(startsAt: BenchStore.start), timeRate: timeRate),
      of: BenchStore.world)
  }

  private static func writer(in folder: String) -> JournalWriter {
    JournalWriter { () throws(JournalError) in try SQLiteJournal(folder: folder) }
  }

  private func start(_ writer: JournalWriter) throws -> JournalRecovery {
    let opened = Mutex<Result<JournalRecovery, JournalError>?>(nil)
    let done = DispatchSemaphore(value: 0)
    writer.start { result in
      opened.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    guard let result = opened.withLock({ $0 }) else { throw Failed(description: "the journal did not open") }
    return try result.get()
  }

  /// Closes the file and gives back what SQLite has in memory; the node does not notice.
  func closeJournal() { writer.stop() }

  func openJournal() throws {
    writer = BenchStore.writer(in: folder)
    _ = try start(writer)
  }

  func stop() { writer.stop() }

  static func account(_ number: Int) -> ActorAddress {
    ActorAddress(world: "w", kind: .account, key: "account-\(number)")
  }

  /// From now on there is a subscriber to the events of every account and of every user.
  func listenToEverybody() {
    for actor in actors.sorted() { feed(.subscribed(topic: actor.topic)) }
  }

  /// Opens accounts that subscribe to a plan, each for a user of the app where `forUsers` is set.
  func subscribe(accounts: Int, to product: String, forUsers: Bool = false) throws {
    try askAll((0..<accounts).map { (OpenAccount(account: "account-\($0)"), BenchStore.world) })
    let users = (0..<accounts).map { _ in forUsers ? UUID() : nil }
    try askAll(
      (0..<accounts).map { (Purchase(productId: product, appAccountToken: users[$0]), BenchStore.account($0)) })
    actors.formUnion((0..<accounts).map { BenchStore.account($0) })
    for case let user? in users {
      actors.insert(ActorAddress(world: "w", kind: .user, key: user.uuidString.lowercased()))
    }
  }

  func advance(to time: StoreTime) throws { try ask(AdvanceClock(.to(time)), of: BenchStore.world) }

  func advance(milliseconds: Int64) throws {
    try ask(AdvanceClock(.by(milliseconds: milliseconds)), of: BenchStore.world)
  }

  @discardableResult
  func ask<Message: Request>(_ message: Message, of address: ActorAddress) throws -> Message.Reply {
    let id = RequestID(UUID())
    feed(.received(peer: peer, frames: RequestFrames(message, to: address, id: id).frames))
    return try WireJSON.decode(Message.Reply.self, from: try body(of: id))
  }

  /// Asks a number of things at once, so that they share commits.
  func askAll<Message: Request>(_ messages: [(Message, ActorAddress)]) throws {
    for start in stride(from: 0, to: messages.count, by: 1_000) {
      let ids = messages[start..<min(start + 1_000, messages.count)].map { message, address -> RequestID in
        let id = RequestID(UUID())
        feed(.received(peer: peer, frames: RequestFrames(message, to: address, id: id).frames))
        return id
      }
      for id in ids { _ = try body(of: id) }
    }
  }

  private func body(of id: RequestID) throws -> Data {
    while replies[id] == nil { feed(inbox.next()) }
    switch replies.removeValue(forKey: id)?.outcome {
    case .ok(let body): return body
    case .failed(let error): throw error
    case nil: throw Failed(description: "no reply")
    }
  }

  private func feed(_ input: ServerInput) {
    for effect in core.handle(input, at: Moment(monotonic: 0, wall: wall)) { perform(effect) }
  }

  private func perform(_ effect: ServerEffect) {
    let inbox = inbox
    switch effect {
    case .load(let address): writer.activate(address) { inbox.post(.loaded(address, $0)) }
    case .loadWhole(let address): writer.load(address) { inbox.post(.loaded(address, $0)) }
    case .append(let ticket, let append): writer.append(append) { inbox.post(.appended(ticket, $0)) }
    case .appendTogether(let ticket, let appends):
      if recordsGroups { groups.append(appends) }
      writer.appendTogether(appends) { inbox.post(.appendedTogether(ticket, $0)) }
    case .read(let ticket, let actor, let after, let limit):
      writer.events(of: actor, after: after, limit: limit) { inbox.post(.read(ticket, $0)) }
    case .readRecords(let ticket, let actor, let wanted):
      writer.archived(wanted, of: actor) { inbox.post(.readRecords(ticket, $0)) }
    case .readNotifications(let ticket, let actor, let query):
      writer.notifications(of: actor, matching: query) { inbox.post(.readNotifications(ticket, $0)) }
    case .post(let ticket, _): inbox.post(.posted(ticket, .failed(.other)))
    case .erase(let world, let keeping):
      writer.erase(world: world, keeping: keeping) { inbox.post(.erased(world: world, $0)) }
    case .openAuthority(let world, _):
      inbox.post(
        .authorityOpened(
          world: world, .success(WorldKeys(rootCertificate: authority.rootDER, offersKey: offersKey))))
    case .sign(let ticket, _, _): inbox.post(.signed(ticket, .failure(ServerNodeError("nothing is signed here"))))
    case .send(_, let frames):
      if let reply = try? ReplyFrames(frames: frames), let id = reply.id { replies[id] = reply }
    case .publish(let frames): publishedBytes += frames.reduce(0) { $0 + $1.count }
    case .wake: break
    case .log(let line): print("log: \(line)")
    }
  }
}
