import Foundation
import Shared
import Wire

/// What the node keeps of a world in memory: its timers in order, and how a clock jump is getting on.
struct WorldRuntime {
  var epoch: UInt64 = 1
  /// Nil until the world's actor is loaded. A world that was never created has a state without settings.
  var state: WorldState? { didSet { noteSettings() } }
  /// What the world's actors may know of it.
  private(set) var settings: WorldSettings?
  private let name: String
  /// DER. Nil until the authority is open.
  var rootCertificate: [UInt8]? {
    didSet { identitySeed = rootCertificate.map { Data($0).fnv1a } ?? 0 }
  }
  /// Each world's own, since each has made its own root: where ids begin that must not meet those of another world.
  private(set) var identitySeed: UInt64 = 0
  var verifier: JWSVerifier?
  /// With which the developer signs offers. Nil until the authority is open.
  var offersKey: OffersKey? { didSet { noteSettings() } }
  var apiKey: APIKey?
  /// Whether the world's actor is being loaded for the first time.
  var isLoading = false
  /// Whether the authority was asked for and has not answered yet.
  var isOpening = false
  /// Why the authority did not open the last time; said once in the log.
  var authorityFailure: String?
  /// Messages to actors of the world, from before it was open.
  var early: [(ActorAddress, Envelope)] = []
  var timers = TimerHeap()
  /// Timers that were played and are not on disk yet.
  var batch: JumpBatch?
  /// How many appends a batch may have: few after a failure, then more and more again.
  var batchLimit = JumpBatch.mostAppends
  /// Timers and effects that are not on disk yet.
  var outstanding = 0
  /// Requests whose events are not on disk yet.
  var requestCommits = 0
  /// Whether a clock jump is being played: requests that change something wait until it is over.
  var isJumping = false
  var held: [(ActorAddress, Envelope)] = []
  /// Who waits for the end of the jump, with the reply.
  var jumpWaiters: [(asker: Asker, body: Data)] = []
  var settleWaiters: [Asker] = []
  var notifications = NotificationRuntime(epoch: 1)
  /// Accounts that have to be loaded before it is known whether the world has settled.
  var settleLoads: Set<ActorAddress> = []

  init(_ name: String) { self.name = name }

  private mutating func noteSettings() { settings = state?.settings(of: name, offersKey: offersKey) }

  /// What a turn needs to know of its world.
  struct Glance {
    /// The clock's reading.
    var now: StoreTime
    var isManual: Bool
    var settings: WorldSettings?
    var epoch: UInt64
    var verifier: JWSVerifier?
    var next: TimerHeap.Entry?
    var identitySeed: UInt64
  }

  /// Mutating for the reason of `ActorCell.glance`.
  mutating func glance(at machine: StoreTime) -> Glance {
    Glance(
      now: state?.now(machine: machine) ?? machine, isManual: state?.manualNow != nil, settings: settings, epoch: epoch,
      verifier: verifier, next: timers.next, identitySeed: identitySeed)
  }

  /// Mutating for the same reason.
  mutating func nextTimer() -> TimerHeap.Entry? { timers.next }

  /// Mutating for the same reason.
  mutating func currentEpoch() -> UInt64 { epoch }

  /// Whether forgetting it loses nothing: a name that was asked for, of a world that was never created.
  var isBlank: Bool {
    epoch == 1 && state?.settings == nil && !isLoading && early.isEmpty && timers.isEmpty && outstanding == 0
      && requestCommits == 0 && !notifications.awaitsActor
      && held.isEmpty && jumpWaiters.isEmpty && settleWaiters.isEmpty
  }
}
