import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// A server node without a process: the core, a journal in memory, and real signatures.
///
/// Work for the journal and for signing waits in a line each, as in the real node; which line moves is up to
/// `chooses`. What is sent and published happens at once.
final class StoreHarness {
  private(set) var core: ServerNodeCore
  var journal = InMemoryJournal()
  private(set) var now = Moment(monotonic: 0, wall: StoreTime(milliseconds: 1_767_225_600_000))
  private(set) var published: [EventFrames] = []
  private(set) var logged: [String] = []
  /// Every message that was sent, with its receiver.
  private(set) var sent: [(peer: PeerID, frames: [Data])] = []
  private var replies: [RequestID: ReplyFrames] = [:]
  private var authorities: [String: CertificateAuthority] = [:]
  private var offersKeys: [String: OffersKey] = [:]
  private let configuration: ServerNodeCore.Configuration
  /// Whether somebody listens to everything.
  private let isHeard: Bool
  let peer = PeerID(Data("test".utf8))
  let world = "w"
  /// While set, appends wait instead of being committed.
  var holdsCommits = false
  /// Which appends wait while `holdsCommits` is set.
  var holds: (JournalAppend) -> Bool = { _ in true }
  private var held: [ServerEffect] = []
  /// Asked for each append; an error fails it and nothing is stored.
  var failsAppend: (JournalAppend) -> JournalError? = { _ in nil }
  var failsLoads: JournalError?
  var failsAuthority: ServerNodeError?
  /// Every try to deliver a notification.
  private(set) var posts: [NotificationPost] = []
  /// What the developer's server answers.
  var answersPost: (NotificationPost) -> NotificationPost.Outcome = { _ in .answered(status: 200) }
  /// While set, it does not answer.
  var holdsPosts = false
  private var heldPosts: [ServerEffect] = []
  /// Decides what happens next where several things could.
  var chooses: (() -> Bool)?
  /// Asked before each commit and once more when it is on disk, before the node hears of it: whether the node dies.
  var crashes: () -> Bool = { false }
  private(set) var crashCount = 0
  /// Whether time passes while a request waits for its answer.
  var isPatient = false
  private var journalWork = Mailbox<ServerEffect>()
  private var signingWork = Mailbox<ServerEffect>()
  private var isWorking = false
  /// When the node wants to be woken, in monotonic milliseconds.
  private(set) var wakeAt: Int64?

  static let start = StoreTime(milliseconds: 1_767_225_600_000)

  init(
    evicting: Bool = false, catalog: String? = nil, clock: ClockMode = .manual(startsAt: StoreHarness.start),
    timeRate: TimeRate = .realTime, gracePeriod: GracePeriod? = nil, token: String = "", mostActors: Int = 100_000,
    claimPolicy: ClaimPolicy? = nil, familyGrantDelay: Int64? = nil,
    environment: String = "Sandbox", notificationURLs: NotificationURLs? = nil, creates: Bool = true,
    isHeard: Bool = true
  ) throws {
    self.isHeard = isHeard
    configuration = .init(
      node: "server", token: token, eventsEndpoint: "inproc://events", mostActors: mostActors,
      evictsAfterEveryTurn: evicting, seed: 7)
    core = ServerNodeCore(configuration)
    try boot()
    guard creates else { return }
    let text = try catalog ?? StoreHarness.demoCatalog()
    let settings = CreateWorld(
      catalog: text, environment: environment, clock: clock, timeRate: timeRate, gracePeriod: gracePeriod,
      claimPolicy: claimPolicy,
      familyGrantDelay: familyGrantDelay, notificationURLs: notificationURLs)
    _ = try ask(settings, of: worldAddress)
  }

  static func demoCatalog() throws -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/Demo.storekit")
    return try String(contentsOf: file, encoding: .utf8)
  }

  private func boot() throws {
    feed(.recovered(try journal.recover()))
    if isHeard { subscribe("") }
    send(
      Hello(node: "test", role: .control, token: configuration.token), to: address(.node, "server"),
      id: RequestID(UUID()))
  }

  /// The node is gone at once; what was committed is all that is left.
  func restart() throws {
    die()
    try boot()
  }

  private func die() {
    core = ServerNodeCore(configuration)
    replies = [:]
    held = []
    heldPosts = []
    journalWork = Mailbox()
    signingWork = Mailbox()
    wakeAt = nil
  }

  func hello(_ node: String, as peer: PeerID, role: Hello.Role = .client, devices: [String: String] = [:]) throws {
    let devices = devices.sorted { $0.key < $1.key }
      .map { DeviceRegistration(world: world, device: $0.key, account: $0.value) }
    try ask(
      Hello(node: node, role: role, token: configuration.token, devices: devices), of: address(.node, "server"),
      from: peer)
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

  func advance(days: Int64) throws { try advance(minutes: days * 1_440) }

  func advance(minutes: Int64) throws {
    _ = try ask(AdvanceClock(.by(milliseconds: minutes * 60_000)), of: worldAddress)
  }

  func history(of name: String) throws -> TransactionHistory {
    let reply = try ask(CatchUp(epoch: 0, after: 0), of: account(name))
    guard case .snapshot(let history) = reply.content else { return TransactionHistory() }
    return history
  }

  /// The short ids of what an account may use.
  func entitled(_ name: String) throws -> [String] {
    try history(of: name).currentEntitlements().map { String($0.productId.dropFirst("com.example.app.".count)) }
      .sorted()
  }

  /// A signed copy of the account's newest transaction of a product.
  func copy(of product: String, from name: String) throws -> Data? {
    guard let record = try history(of: name).records.last(where: { $0.productId.hasSuffix(product) }) else {
      return nil
    }
    let wanted = WantedCopy(
      subject: .transaction(record.transactionId), device: nil, deviceVerificationId: nil)
    return try exchange(GetSignedCopies(copies: [wanted]), of: account(name)).attachments.first
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
    replies[id] = nil
    // A node that died owes an answer: the same request is asked again, as every client does.
    for _ in 0..<1_000 {
      let crashes = crashCount
      send(message, to: address, id: id, attachments: attachments, from: peer)
      if isPatient, crashes == crashCount { for _ in 0..<100 where replies[id] == nil { wait(milliseconds: 1_000) } }
      if replies[id] != nil || crashes == crashCount { break }
    }
    let reply = try #require(replies[id], "no reply to \(Message.name) of \(address); logged: \(logged.suffix(3))")
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

  func unsubscribe(_ topic: String) { feed(.unsubscribed(topic: topic)) }

  /// Time passes, and the node is woken whenever it asked for it.
  func wait(milliseconds: Int64) {
    let end = now.monotonic + milliseconds
    while let wakeAt, wakeAt <= end {
      pass(wakeAt - now.monotonic)
      self.wakeAt = nil
      feed(.woke)
    }
    pass(end - now.monotonic)
  }

  /// Time passes while the node is down.
  func sleep(milliseconds: Int64) { pass(milliseconds) }

  private func pass(_ milliseconds: Int64) {
    now.monotonic += milliseconds
    now.wall = now.wall.advanced(by: milliseconds)
  }

  /// Lets go what `holdsCommits` held back.
  func release() {
    holdsCommits = false
    let effects = held
    held = []
    effects.forEach { take($0) }
    work()
  }

  /// Lets go what `holdsPosts` held back.
  func releasePosts() {
    holdsPosts = false
    let effects = heldPosts
    heldPosts = []
    for effect in effects { signingWork.append(effect) }
    work()
  }

  // MARK: Effects

  private func feed(_ input: ServerInput) {
    for effect in core.handle(input, at: now) { take(effect) }
    work()
  }

  /// Does at once what needs no answer, and lines up the rest.
  private func take(_ effect: ServerEffect) {
    switch effect {
    case .append(_, let append) where holdsCommits && holds(append): held.append(effect)
    case .appendTogether(_, let appends) where holdsCommits && appends.contains(where: holds): held.append(effect)
    case .load, .loadWhole, .append, .appendTogether, .read, .readRecords, .readNotifications, .erase:
      journalWork.append(effect)
    case .openAuthority, .sign: signingWork.append(effect)
    case .post(_, let post):
      posts.append(post)
      if holdsPosts { heldPosts.append(effect) } else { signingWork.append(effect) }
    case .send(let peer, let frames):
      sent.append((peer, frames))
      if let reply = try? ReplyFrames(frames: frames), let id = reply.id { replies[id] = reply }
    case .publish(let frames):
      if let event = try? EventFrames(frames: frames) { published.append(event) }
    case .wake(let delay): wakeAt = now.monotonic + delay
    case .log(let line): logged.append(line)
    }
  }

  private func work() {
    guard !isWorking else { return }
    isWorking = true
    defer { isWorking = false }
    while !journalWork.isEmpty || !signingWork.isEmpty {
      let signs = journalWork.isEmpty || (!signingWork.isEmpty && chooses?() ?? false)
      guard let effect = signs ? signingWork.popFirst() : journalWork.popFirst() else { return }
      guard let input = perform(effect) else {
        crashCount += 1
        die()
        do { try boot() } catch { Issue.record("the journal does not open again: \(error)") }
        continue
      }
      for effect in core.handle(input, at: now) { take(effect) }
    }
  }

  /// Nil when the node dies over it.
  private func perform(_ effect: ServerEffect) -> ServerInput? {
    switch effect {
    case .load(let address):
      if let failsLoads { return .loaded(address, .failure(failsLoads)) }
      return .loaded(address, Result { () throws(JournalError) in try journal.activate(address) })
    case .loadWhole(let address):
      return .loaded(address, Result { () throws(JournalError) in try journal.load(address) })
    case .appendTogether(let ticket, let appends):
      if crashes() { return nil }
      if let error = appends.compactMap({ failsAppend($0) }).first {
        return .appendedTogether(ticket, .failure(error))
      }
      let result = Result { () throws(JournalError) in try journal.commit(appends) }
      return crashes() ? nil : .appendedTogether(ticket, result)
    case .readRecords(let ticket, let actor, let wanted):
      return .readRecords(ticket, Result { () throws(JournalError) in try journal.archived(wanted, of: actor) })
    case .append(let ticket, let append):
      if crashes() { return nil }
      if let error = failsAppend(append) { return .appended(ticket, .failure(error)) }
      let result = Result { () throws(JournalError) in try journal.commit([append])[0] }
      return crashes() ? nil : .appended(ticket, result)
    case .read(let ticket, let actor, let after, let limit):
      return .read(
        ticket, Result { () throws(JournalError) in try journal.events(of: actor, after: after, limit: limit) })
    case .erase(let world, let keeping):
      if crashes() { return nil }
      let result = Result { () throws(JournalError) in try journal.erase(world: world, keeping: keeping) }
      return crashes() ? nil : .erased(world: world, result)
    case .openAuthority(let world, _): return .authorityOpened(world: world, openAuthority(world))
    case .sign(let ticket, let world, let jobs): return .signed(ticket, sign(jobs, world))
    case .readNotifications(let ticket, let actor, let query):
      return .readNotifications(
        ticket, Result { () throws(JournalError) in try journal.notifications(of: actor, matching: query) })
    case .post(let ticket, let post): return .posted(ticket, answersPost(post))
    case .send, .publish, .wake, .log: return .woke
    }
  }

  private func openAuthority(_ world: String) -> Result<WorldKeys, ServerNodeError> {
    if let failsAuthority { return .failure(failsAuthority) }
    do {
      let authority = try authorities[world] ?? CertificateAuthority(world: world)
      authorities[world] = authority
      let offersKey = try offersKeys[world] ?? OffersKey.generate(id: "OWN")
      offersKeys[world] = offersKey
      return .success(WorldKeys(rootCertificate: authority.rootDER, offersKey: offersKey))
    } catch { return .failure(ServerNodeError("\(error)")) }
  }

  private func sign(_ jobs: [SigningJob], _ world: String) -> Result<[Data], ServerNodeError> {
    do {
      let signer = try JWSSigner(authority: try #require(authorities[world]))
      return .success(try jobs.map { try $0.signed(by: signer) })
    } catch { return .failure(ServerNodeError("\(error)")) }
  }
}
