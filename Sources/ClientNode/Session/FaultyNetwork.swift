import Shared
import Wire

/// What a simulated network does to messages: a value with randomness of its own, so that a seed repeats a run.
struct FaultyNetwork: Sendable {
  enum Kind: Hashable, Sendable { case request, reply, event }

  /// What becomes of a message.
  struct Passage: Sendable {
    /// How long each copy takes, in milliseconds; none when the message is lost.
    var delays: [Int64] = [0]
    /// Whether it comes after the one behind it.
    var isOvertaken = false

    static let lost = Passage(delays: [])
  }

  private(set) var faults: NetworkFaults?
  private var random: SplitMix64
  /// When the last message of each kind arrives: those behind it come no earlier.
  private var lastArrival: [Kind: MonotonicTime] = [:]

  /// How late an event is that is delayed, in milliseconds.
  static let delayMilliseconds: ClosedRange<Int64> = 100...2_000
  /// How long an event at most waits for the one that overtakes it.
  static let overtakenMilliseconds: Int64 = 1_000

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func set(_ faults: NetworkFaults?) {
    self.faults = faults
    if let seed = faults?.seed { random = SplitMix64(seed: seed) }
    if faults == nil { lastArrival = [:] }
  }

  /// Where the randomness of another network starts.
  mutating func nextSeed() -> UInt64 { random.next() }

  mutating func passage(of kind: Kind, at now: MonotonicTime) -> Passage {
    guard let faults else { return Passage() }
    switch kind {
    case .event where faults.blocked == .events, .request where faults.blocked == .requests: return .lost
    case .event: return eventPassage(at: now)
    case .request, .reply:
      if let requests = faults.requests {
        self.faults?.requests?.next = requests.next.map { $0 - 1 }
        if requests.next == 1 { self.faults?.requests = nil }
        if happens(kind == .request ? requests.drop : requests.dropReplies) { return .lost }
      }
      return Passage(delays: [latency(of: kind, at: now)])
    }
  }

  private mutating func eventPassage(at now: MonotonicTime) -> Passage {
    var passage = Passage()
    var extra: Int64 = 0
    if let events = faults?.events {
      faults?.events?.next = events.next.map { $0 - 1 }
      if events.next == 1 { faults?.events = nil }
      if happens(events.drop) { return .lost }
      if happens(events.duplicate) { passage.delays.append(0) }
      if happens(events.delay) { extra = Int64.random(in: FaultyNetwork.delayMilliseconds, using: &random) }
      passage.isOvertaken = happens(events.reorder)
    }
    let latency = latency(of: .event, at: now)
    passage.delays = passage.delays.map { _ in latency + extra }
    return passage
  }

  private mutating func happens(_ percent: Int) -> Bool {
    percent > 0 && Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func latency(of kind: Kind, at now: MonotonicTime) -> Int64 {
    guard let latency = faults?.latency else { return 0 }
    let wait = Int64.random(in: Int64(latency.from)...Int64(latency.to), using: &random)
    let arrival = max(now.advanced(byMilliseconds: wait), lastArrival[kind] ?? now)
    lastArrival[kind] = arrival
    return arrival.milliseconds(since: now)
  }
}
