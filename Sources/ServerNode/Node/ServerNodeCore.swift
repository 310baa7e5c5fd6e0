import Foundation
import Shared
package import Wire

/// A server node as a value: inputs in, effects out, no I/O, no clock, no entropy of its own.
///
/// The real process and a simulator run this very code. What must hold: an actor takes its next message only after the
/// events of the one before are committed or refused; nobody hears of an event before it is on disk; a request's reply
/// commits with its events, and a retry gets the same reply.
package struct ServerNodeCore {
  package struct Configuration: Sendable {
    package var node: String
    /// Empty: any token is good.
    package var token: String
    package var eventsEndpoint: String
    /// Where the process speaks HTTP; nil where it does not.
    package var httpBaseURL: String?
    package var heartbeatMilliseconds: Int64
    /// How many actors stay in memory when idle.
    package var mostActors: Int
    /// Test mode: every actor leaves memory after each turn; nothing may change by it.
    package var evictsAfterEveryTurn: Bool
    package var seed: UInt64

    package init(
      node: String, token: String = "", eventsEndpoint: String, httpBaseURL: String? = nil,
      heartbeatMilliseconds: Int64 = 1_000,
      mostActors: Int = 100_000, evictsAfterEveryTurn: Bool = false, seed: UInt64
    ) {
      self.node = node
      self.token = token
      self.eventsEndpoint = eventsEndpoint
      self.httpBaseURL = httpBaseURL
      self.heartbeatMilliseconds = heartbeatMilliseconds
      self.mostActors = mostActors
      self.evictsAfterEveryTurn = evictsAfterEveryTurn
      self.seed = seed
    }
  }

  let configuration: Configuration
  var entropy: SplitMix64
  var incarnation: UInt64 = 0
  var isRecovered = false
  /// Monotonic milliseconds: when the journal was open, and when the first client node came after that.
  var recoveredAt: Int64?
  var firstClientAt: Int64?
  var moment = Moment(monotonic: 0, wall: StoreTime(milliseconds: 0))
  var effects: [ServerEffect] = []

  var worlds: [String: WorldRuntime] = [:]
  /// Worlds that the journal had at the start; they are opened when somebody asks for them.
  var knownWorlds: Set<String> = []
  var cells: [ActorAddress: ActorCell] = [:]
  var turn: UInt64 = 0
  var nextTicket: UInt64 = 0
  var commits: [Ticket: PendingCommit] = [:]
  var reads: [Ticket: PendingRead] = [:]
  /// Messages that wait for transactions from the archive.
  var archiveReads: [Ticket: (address: ActorAddress, envelope: Envelope)] = [:]
  /// The worlds whose batches are on their way to the disk.
  var batches: [Ticket: String] = [:]
  var signings: [Ticket: PendingSigning] = [:]
  /// Signings of which all own copies are there, and some that others have asked for are not.
  var sharedSignings: [PendingSigning] = []
  var sharedCopies = SharedCopies()
  /// Signatures, reads and tries of notifications.
  var notificationWork: [Ticket: NotificationWork] = [:]
  var notificationReads: [Ticket: (asker: Asker, question: NotificationQuestion)] = [:]
  /// Timers and effects whose commit failed, to be tried again.
  var retries: [(at: Int64, address: ActorAddress, envelope: Envelope)] = []

  /// What is listened to.
  var subscriptions = Subscriptions()
  var peers: [PeerID: Peer] = [:]
  /// Where each device's client node is.
  var directory: [ActorAddress: DeviceSeat] = [:]
  /// The connections of client nodes, by the node's name, for requests to the nodes themselves.
  var clientNodes: [String: PeerID] = [:]
  /// Requests that were passed on to a client node, by id.
  var forwards: [RequestID: Forward] = [:]
  /// Requests to all devices of a world, by the asker's id.
  var rounds: [RequestID: DeviceRound] = [:]
  /// Where each account is that was active since the start, for heartbeats and comparisons.
  var positions: [ActorAddress: UInt64] = [:]
  var recentlyChanged: [ActorAddress: Int64] = [:]
  var nextHeartbeat: Int64 = 0
  /// How many there were since the start.
  var heartbeats: UInt64 = 0
  /// The monotonic time of the wake-up that was asked for; nil when there is none to come.
  var plannedWake: Int64?
  /// What arrived before the journal was open.
  var early: [ServerInput] = []
  package private(set) var counters = ServerCounters()

  package init(_ configuration: Configuration) {
    self.configuration = configuration
    entropy = SplitMix64(seed: configuration.seed)
  }

  /// Takes one input and returns what is to be done, in order.
  package mutating func handle(_ input: ServerInput, at moment: Moment) -> [ServerEffect] {
    self.moment = moment
    effects.removeAll(keepingCapacity: true)
    if case .recovered(let recovery) = input {
      recover(recovery)
    } else if isRecovered {
      take(input)
    } else {
      early.append(input)
    }
    askToWake()
    return effects
  }

  private mutating func recover(_ recovery: JournalRecovery) {
    isRecovered = true
    incarnation = recovery.incarnation
    knownWorlds = Set(recovery.worlds)
    recoveredAt = moment.monotonic
    nextHeartbeat = moment.monotonic
    peers[.local] = Peer(node: configuration.node, role: .control, lastHeard: moment.monotonic)
    for (world, epoch) in recovery.epochs {
      worlds[world, default: WorldRuntime(world)].epoch = epoch
      worlds[world]?.notifications = NotificationRuntime(epoch: epoch)
    }
    for timer in recovery.timers {
      worlds[timer.actor.world, default: WorldRuntime(timer.actor.world)].timers
        .set(timer.actor, timer.name, due: StoreTime(milliseconds: timer.due))
    }
    for world in recovery.notifying {
      worlds[world, default: WorldRuntime(world)].notifications.awaitsActor = true
    }
    // Effects that were on their way go on; worlds with something to do come back at once. What was due when the node
    // stopped, in the middle of a jump perhaps, is played before anybody may ask for changes.
    for effect in recovery.effects {
      worlds[effect.id.target.world, default: WorldRuntime(effect.id.target.world)].outstanding += 1
      deliver(.effect(effect), to: effect.id.target)
    }
    for world in worlds.keys { worlds[world]?.isJumping = true }
    for world in worlds.keys.sorted() { activateWorld(world) }
    let waiting = early
    early = []
    waiting.forEach { take($0) }
  }

  private mutating func take(_ input: ServerInput) {
    switch input {
    case .recovered: break
    case .received(let peer, let frames):
      counters.messages += 1
      receive(frames, from: peer)
    case .subscribed(let topic):
      subscriptions.add(topic)
      subscribed(topic)
    case .unsubscribed(let topic): subscriptions.remove(topic)
    case .followed(let worlds): subscriptions.followedWorlds = worlds
    case .loaded(let address, let result): loaded(address, result)
    case .appended(let ticket, let result): appended(ticket, result)
    case .appendedTogether(let ticket, let result): appendedTogether(ticket, result)
    case .readRecords(let ticket, let result): finishReading(ticket, result)
    case .readNotifications(let ticket, let result): finishNotificationRead(ticket, result)
    case .posted(let ticket, let outcome): posted(ticket, outcome)
    case .read(let ticket, let result):
      if !finishPayloadRead(ticket, result) { finishRead(ticket, result) }
    case .authorityOpened(let world, let result): authorityOpened(world, result)
    case .erased(let world, let result): erased(world, result)
    case .signed(let ticket, let result):
      if !finishNotificationSigning(ticket, result) { finishSigning(ticket, result) }
    case .woke: woke()
    }
  }

  // MARK: Small things

  mutating func ticket() -> Ticket {
    nextTicket += 1
    return Ticket(number: nextTicket)
  }

  mutating func emit(_ effect: ServerEffect) { effects.append(effect) }

  mutating func reply(_ asker: Asker, _ result: Result<Data, WireError>, attachments: [Data] = []) {
    let outcome: ReplyFrames.Outcome =
      switch result {
      case .success(let body): .ok(body)
      case .failure(let error): .failed(error)
      }
    if case .failed = outcome { counters.refusals += 1 }
    let frames = ReplyFrames(id: asker.id, outcome: outcome, attachments: attachments).frames
    emit(.send(peer: asker.peer, frames: frames))
  }

  /// Of what nobody listens to, nothing is written: whoever subscribes is told where the actor is, and asks for the rest.
  mutating func publish(_ address: ActorAddress, sequence: UInt64, name: String, body: @autoclosure () -> Data) {
    guard subscriptions.cover(address) else {
      counters.unheardPublications += 1
      return
    }
    counters.publications += 1
    let epoch = worlds[address.world]?.currentEpoch() ?? 1
    emit(
      .publish(
        frames: EventFrames(topic: address.topic, epoch: epoch, sequence: sequence, name: name, body: body()).frames))
  }

  mutating func count(_ change: (inout ServerCounters) -> Void) { change(&counters) }
}

/// What a node has done since its start, for metrics.
package struct ServerCounters: Hashable, Sendable {
  package var messages: UInt64 = 0
  package var commits: UInt64 = 0
  package var conflicts: UInt64 = 0
  package var publications: UInt64 = 0
  /// What would have been published if anybody had listened.
  package var unheardPublications: UInt64 = 0
  package var refusals: UInt64 = 0
  /// Messages to nobody.
  package var deadLetters: UInt64 = 0
  package var timers: UInt64 = 0
  /// What devices said of themselves.
  package var deviceReports: UInt64 = 0
  /// Tries to deliver a notification, by what became of them.
  package var notificationAttempts: [SendAttemptResult: UInt64] = [:]

  package init() {}
}

/// A peer that has introduced itself.
struct Peer {
  var node: String
  var role: Hello.Role
  /// Monotonic milliseconds of the last message.
  var lastHeard: Int64
  var devices: Set<ActorAddress> = []
}

/// Where a device lives.
struct DeviceSeat {
  var peer: PeerID
  var account: ActorAddress
  /// The last that the device said of itself; nil until it has.
  var report: DeviceReport?

  /// Whether its app runs and hears of events.
  var isListening: Bool { report.map { $0.online && $0.incarnation != nil } ?? false }
  /// The same, where it has not said what it does.
  var mayListen: Bool { report == nil || isListening }
}

/// A request that a client node answers.
struct Forward {
  var asker: Asker
  /// The device, or the client node itself.
  var address: ActorAddress
  /// The connection that it was passed on to.
  var peer: PeerID
  /// Monotonic milliseconds after which nobody waits any more.
  var expires: Int64
  /// Whether the reply is a `DeviceReport`, and comes of a change.
  var answersWithReport: Bool
  /// The request to all devices that it is a part of.
  var round: RequestID?
}

/// A request to all devices of a world, while they answer.
struct DeviceRound {
  var asker: Asker
  /// The devices that are still to answer.
  var open: Int
  var told = ToldDevices(devices: 0)
}

struct PendingSigning {
  var asker: Asker
  var body: Data
  /// The copies in the order asked; nil for those that are being signed.
  var copies: [Data?]
  /// By which those are known that other requests may share; nil for the others.
  var keys: [SharedCopies.Key?]
  /// The places of the copies that are signed for this one.
  var signed: [Int] = []
}

struct PendingRead {
  enum Purpose {
    case catchUp
    case journal
  }
  var asker: Asker
  var address: ActorAddress
  var purpose: Purpose
  var position: AccountPosition
}
