import Foundation
import Shared
import Wire

/// What the node runs: an account, a family, a user or a world behind an address.
///
/// `receive` decides and evolves at once; the node then commits the events, and only after that does anybody hear of
/// them. When the commit fails, the node drops the actor and loads it again.
protocol StoreActor: Sendable {
  init(address: ActorAddress)
  /// Applies a stored event.
  mutating func restore(_ event: JournalEvent) throws
  /// The durable timers that the state asks for now.
  var timers: [String: StoreTime] { get }
  mutating func receive(_ message: ActorMessage, in context: ActorContext) throws(WireError) -> ActorOutcome

  /// The state for the journal, to be restored instead of the events so far; nil when it is not worth it.
  var snapshot: Data? { get }
  /// Begins with what `snapshot` gave. Throws when another version gave it.
  mutating func restore(snapshot: Data) throws
  /// Lets go of what the journal gives back when a message asks for it.
  mutating func archive()
  /// What a message is about and memory does not have.
  func missing(for message: ActorMessage) -> ArchivedRecords?
  /// After how many events since the last one it is time for a snapshot.
  var eventsPerSnapshot: UInt64 { get }
  /// Whether the node works for it, so that it has to stay in memory.
  var isBusy: Bool { get }
  /// What was missing, for the next message.
  mutating func put(archived records: [TransactionRecord])
}

extension StoreActor {
  var snapshot: Data? { nil }
  mutating func restore(snapshot: Data) throws {
    throw ServerNodeError("this kind of actor has no snapshots")
  }
  var eventsPerSnapshot: UInt64 { ActorCell.eventsPerSnapshot }
  var isBusy: Bool { false }
  mutating func archive() {}
  func missing(for message: ActorMessage) -> ArchivedRecords? { nil }
  mutating func put(archived records: [TransactionRecord]) {}
}

/// What can arrive in an actor's mailbox, without its sender.
enum ActorMessage: Sendable {
  case request(name: String, body: Data, attachments: [Data])
  case effect(StoreEffect, from: ActorAddress)
  case timer(name: String)
  /// What came of notifications.
  case delivery(NotificationReport)
}

/// What a decision may know of where it happens.
struct ActorContext: Sendable {
  var address: ActorAddress
  var now: StoreTime
  /// Nil in a world that was not created yet.
  var world: WorldSettings?
  var epoch: UInt64
  /// The actor's events so far.
  var sequence: UInt64
  var request: RequestID?
  /// The time of the world's next timer.
  var nextDue: StoreTime?
  /// Whether the world has opened this account and the account itself has not heard of it yet.
  var isOpenedAccount = false
  /// For a family: the accounts that the world has opened; nil while the world is not in memory.
  var accounts: [String: AccountProfile]?
  var verifier: JWSVerifier?
  /// See `WorldRuntime.identitySeed`.
  var identitySeed: UInt64 = 0

  /// The id of the n-th thing that the actor makes under this epoch: the same one whenever it is asked for.
  func uuid(number: UInt64) -> UUID {
    var generator = SplitMix64(seed: identitySeed ^ (epoch &* 0x9E37_79B9_7F4A_7C15))
    generator = SplitMix64(seed: generator.next() &+ number)
    return generator.uuid()
  }

  func store() throws(WireError) -> StoreContext {
    guard let world else { throw .noWorld(address.world) }
    return StoreContext(now: now, world: world, request: request)
  }

  /// Where the actor is after `count` more events.
  func position(after count: Int) -> AccountPosition {
    AccountPosition(account: address, epoch: epoch, sequence: sequence + UInt64(count))
  }
}

/// What came of a message.
struct ActorOutcome: Sendable {
  struct Event: Sendable {
    /// As it is stored; the journal sets the sequence.
    var stored: JournalEvent
    /// What is published on the actor's topic once it is on disk.
    var publication: Publication?
  }

  enum Publication: Sendable {
    case account(AccountEvent, WrittenAccountEvent)
    case body(name: String, Data)
  }

  enum Reply: Sendable {
    /// There is nobody to answer.
    case none
    case body(Data)
    /// The store says no, though something has changed.
    case refused(WireError)
    /// Answered once another actor has said something: see `completed`.
    case later
    /// The clock was moved: answered when every timer on the way has been played.
    case afterJump(Data)
    case signed(body: Data, jobs: [SigningJob])
    case catchUp(after: UInt64)
    case journal(after: UInt64, limit: Int)
    case notifications(NotificationQuestion)
    /// Answered by the node itself.
    case node(NodeQuestion)
  }

  /// Questions to a world that concern more than its own state.
  enum NodeQuestion: Sendable {
    case describeWorld
    case describeAPIKeys
    case listDevices
    case settle
  }

  var events: [Event] = []
  /// Transactions that the events made or changed.
  var records: [StoredRecord] = []
  /// Notifications that the events made or changed.
  var notifications: [StoredNotification] = []
  /// Whether the events forget all transactions from before.
  var forgetsRecords = false
  var effects: [(target: ActorAddress, effect: StoreEffect)] = []
  var reply: Reply = .none
  /// Replies to requests of this actor that waited, by the key that they waited for.
  var completed: [(key: String, result: Result<Data, WireError>)] = []
  /// What a `later` reply waits for.
  var waitsFor: String?
}

/// An effect as it is stored on its way: whenever it is applied, it happens at the store time of its cause.
struct TimedEffect: Codable, Hashable, Sendable {
  var at: StoreTime
  var effect: StoreEffect
}

/// What actors do to each other. Committed with its cause, applied exactly once.
enum StoreEffect: Hashable, Sendable {
  // To an account.
  case open(AccountProfile)
  case askToJoin(family: String)
  case tellLeft(family: String)
  case share(SharedItem)
  case unshare(SharedItem.ID, reason: Int)
  case madeShareable(productId: String)
  case extendAll(ExtendAllSubscriptions)
  // To a world.
  case extendedAll(ExtensionAnswer)
  // To a family.
  case joinAnswered(account: String, refusal: WireError?, items: [SharedItem], storefront: String?)
  case storefrontChanged(account: String, storefront: String?)
  case memberReset(account: String)
  case itemChanged(SharedItem)
  case itemWithdrawn(SharedItem.ID)
  // To a user.
  case entitlement(EntitlementChanged)
  // To a world's notifications.
  case notify(StoreNotification)

  var name: String {
    switch self {
    case .open: "open"
    case .askToJoin: "askToJoin"
    case .tellLeft: "tellLeft"
    case .share: "share"
    case .unshare: "unshare"
    case .madeShareable: "madeShareable"
    case .extendAll: "extendAll"
    case .extendedAll: "extendedAll"
    case .joinAnswered: "joinAnswered"
    case .storefrontChanged: "storefrontChanged"
    case .memberReset: "memberReset"
    case .itemChanged: "itemChanged"
    case .itemWithdrawn: "itemWithdrawn"
    case .entitlement: "entitlement"
    case .notify: "notify"
    }
  }
}

extension WireError {
  static func noAccount(_ account: String, _ world: String) -> WireError {
    WireError(.unknownAddress, "there is no account '\(account)' in world '\(world)': open it first")
  }

  static func noWorld(_ world: String) -> WireError {
    WireError(.unknownAddress, "there is no world '\(world)': create it first")
  }

  static func unknownRequest(_ name: String, _ address: ActorAddress) -> WireError {
    WireError(.unknownName, "a \(address.kind.rawValue) does not understand '\(name.prefix(100))'")
  }
}
