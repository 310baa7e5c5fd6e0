import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// A server node without a process: the core, a journal in memory, and real signatures. Every effect is done at once.
final class StoreHarness {
  private(set) var core: ServerNodeCore
  var journal = InMemoryJournal()
  private(set) var now = Moment(monotonic: 0, wall: StoreTime(milliseconds: 1_767_225_600_000))
  private(set) var published: [EventFrames] = []
  private(set) var logged: [String] = []
  private var replies: [RequestID: ReplyFrames] = [:]
  private var authorities: [String: CertificateAuthority] = [:]
  private let configuration: ServerNodeCore.Configuration
  let peer = PeerID(Data("test".utf8))
  let world = "w"
  /// While set, appends wait here instead of being committed.
  var holdsCommits = false
  /// When set, so many commits go through before the next ones wait.
  var commitsBeforeHolding: Int?
  private var held: [ServerEffect] = []
  var failsCommits: JournalError?

  static let start = StoreTime(milliseconds: 1_767_225_600_000)

  init(evicting: Bool = false, catalog: String? = nil) throws {
    configuration = .init(
      node: "server", eventsEndpoint: "inproc://events", evictsAfterEveryTurn: evicting, seed: 7)
    core = ServerNodeCore(configuration)
    try boot()
    let text = try catalog ?? StoreHarness.demoCatalog()
    _ = try ask(CreateWorld(catalog: text, clock: .manual(startsAt: StoreHarness.start)), of: worldAddress)
  }

  static func demoCatalog() throws -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/Demo.storekit")
    return try String(contentsOf: file, encoding: .utf8)
  }

  private func boot() throws {
    feed(.recovered(try journal.recover()))
    _ = try ask(Hello(node: "test", role: .control, token: ""), of: address(.node, "server"))
  }

  /// The node is gone at once; what was committed is all that is left.
  func restart() throws {
    commitsBeforeHolding = nil
    held = []
    core = ServerNodeCore(configuration)
    replies = [:]
    try boot()
  }

  // MARK: Vocabulary

  var worldAddress: ActorAddress { address(.world, world) }

  func address(_ kind: ActorAddress.Kind, _ key: String) -> ActorAddress {
    ActorAddress(world: world, kind: kind, key: key)
  }

  func account(_ name: String) -> ActorAddress { address(.account, name) }

  func open(_ accounts: String..., asksToBuy: Bool = false) throws {
    for account in accounts { _ = try ask(OpenAccount(account: account, asksToBuy: asksToBuy), of: worldAddress) }
  }

  func family(_ name: String, _ members: String...) throws {
    _ = try ask(CreateFamily(organizer: members[0]), of: address(.family, name))
    for member in members.dropFirst() { _ = try ask(JoinFamily(account: member), of: address(.family, name)) }
  }

  @discardableResult
  func buy(_ product: String, by name: String, token: UUID? = nil, quantity: Int = 1) throws -> Purchase.Reply {
    try ask(
      Purchase(productId: "com.example.app." + product, quantity: quantity, appAccountToken: token), of: account(name))
  }

  @discardableResult
  func refund(_ product: String, of name: String, reason: Int = 0) throws -> AccountPosition {
    try ask(Refund(productId: "com.example.app." + product, reason: reason), of: account(name))
  }

  func advance(days: Int64) throws {
    _ = try ask(AdvanceClock(.by(milliseconds: days * 86_400_000)), of: worldAddress)
  }

  func history(of name: String) throws -> TransactionHistory {
    let reply = try ask(CatchUp(epoch: 0, after: 0), of: account(name))
    guard case .snapshot(let history) = reply.content else { return TransactionHistory() }
    return history
  }

  /// The short ids of what an account may use.
  func entitled(_ name: String) throws -> [String] {
    try history(of: name).currentEntitlements().map { String($0.productId.dropFirst("com.example.app.".count)) }.sorted()
  }

  func entitlements(of user: UUID) throws -> [UserEntitlement] {
    try ask(GetEntitlements(), of: address(.user, user.uuidString.lowercased())).entitlements
  }

  /// The names of an account's events, in order.
  func events(of name: String) throws -> [String] {
    try journal.events(of: account(name), after: 0, limit: 10_000).map(\.name)
  }

  // MARK: Wire

  @discardableResult
  func ask<Message: Request>(
    _ message: Message, of address: ActorAddress, id: RequestID = RequestID(UUID()), attachments: [Data] = [],
    from peer: PeerID? = nil
  ) throws -> Message.Reply {
    try exchange(message, of: address, id: id, attachments: attachments, from: peer).body
  }

  func exchange<Message: Request>(
    _ message: Message, of address: ActorAddress, id: RequestID = RequestID(UUID()), attachments: [Data] = [],
    from peer: PeerID? = nil
  ) throws -> Answer<Message.Reply> {
    send(message, to: address, id: id, attachments: attachments, from: peer)
    let reply = try #require(replies[id], "no reply to \(Message.name)")
    switch reply.outcome {
    case .ok(let body):
      return Answer(try WireJSON.decode(Message.Reply.self, from: body), attachments: reply.attachments)
    case .failed(let error): throw error
    }
  }

  /// Sends without expecting an answer yet.
  func send<Message: Request>(
    _ message: Message, to address: ActorAddress, id: RequestID, attachments: [Data] = [], from peer: PeerID? = nil
  ) {
    send(RequestFrames(message, to: address, id: id, attachments: attachments).frames, from: peer)
  }

  func send(_ frames: [Data], from peer: PeerID? = nil) {
    feed(.received(peer: peer ?? self.peer, frames: frames))
  }

  func reply(to id: RequestID) -> ReplyFrames? { replies[id] }

  func subscribe(_ topic: String) { feed(.subscribed(topic: topic)) }

  func wait(milliseconds: Int64) {
    now.monotonic += milliseconds
    now.wall = now.wall.advanced(by: milliseconds)
    feed(.woke)
  }

  /// Lets go what `holdsCommits` held back.
  func release() {
    holdsCommits = false
    let effects = held
    held = []
    effects.forEach { perform($0) }
  }

  // MARK: Effects

  private func feed(_ input: ServerInput) {
    for effect in core.handle(input, at: now) { perform(effect) }
  }

  private func perform(_ effect: ServerEffect) {
    switch effect {
    case .load(let address): feed(.loaded(address, Result { () throws(JournalError) in try journal.load(address) }))
    case .append(let ticket, let append):
      if holdsCommits || commitsBeforeHolding == 0 { return held.append(effect) }
      commitsBeforeHolding? -= 1
      if let failsCommits { return feed(.appended(ticket, .failure(failsCommits))) }
      feed(.appended(ticket, Result { () throws(JournalError) in try journal.commit([append])[0] }))
    case .read(let ticket, let actor, let after, let limit):
      feed(
        .read(ticket, Result { () throws(JournalError) in try journal.events(of: actor, after: after, limit: limit) }))
    case .openAuthority(let world):
      do {
        let authority = try authorities[world] ?? CertificateAuthority(world: world)
        authorities[world] = authority
        feed(.authorityOpened(world: world, .success(authority.rootDER)))
      } catch { feed(.authorityOpened(world: world, .failure(ServerNodeError("\(error)")))) }
    case .sign(let ticket, let world, let jobs):
      do {
        let signer = try JWSSigner(authority: try #require(authorities[world]))
        feed(.signed(ticket, .success(try jobs.map { try signer.sign(try $0.payload()).bytes })))
      } catch { feed(.signed(ticket, .failure(ServerNodeError("\(error)")))) }
    case .send(_, let frames):
      if let reply = try? ReplyFrames(frames: frames), let id = reply.id { replies[id] = reply }
    case .publish(let frames):
      if let event = try? EventFrames(frames: frames) { published.append(event) }
    case .wake: break
    case .log(let line): logged.append(line)
    }
  }
}
