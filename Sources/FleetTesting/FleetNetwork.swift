import Fleet
import Wire

/// What the network between a device and the App Store does to messages. The link of the test itself is never touched.
public struct FleetNetwork: Hashable, Sendable {
  /// A way that nothing gets through.
  public enum Way: String, Hashable, Sendable, CaseIterable {
    /// What the store publishes does not come; requests and their replies do.
    case events
    /// Requests do not go out; events come.
    case requests
  }

  /// What happens to events, in percent of them.
  public struct Events: Hashable, Sendable {
    public var drop: Int
    public var duplicate: Int
    /// Comes late, by a tenth of a second to two.
    public var delay: Int
    /// Comes after the one behind it.
    public var reorder: Int
    /// To how many events it happens; nil for as long as nobody says otherwise.
    public var next: Int?

    public init(drop: Int = 0, duplicate: Int = 0, delay: Int = 0, reorder: Int = 0, next: Int? = nil) {
      self.drop = drop
      self.duplicate = duplicate
      self.delay = delay
      self.reorder = reorder
      self.next = next
    }
  }

  /// What happens to requests and their replies, in percent of them. A phone asks again when an answer is missing.
  public struct Requests: Hashable, Sendable {
    public var drop: Int
    public var dropReplies: Int
    /// To how many messages it happens; nil for as long as nobody says otherwise.
    public var next: Int?

    public init(drop: Int = 0, dropReplies: Int = 0, next: Int? = nil) {
      self.drop = drop
      self.dropReplies = dropReplies
      self.next = next
    }
  }

  /// How long each message takes, either way. Messages of one way stay in order.
  public var latency: ClosedRange<Duration>?
  public var events: Events?
  public var requests: Requests?
  public var blocked: Way?
  /// Where the randomness of the faults starts, to repeat a run; nil leaves it to the device's node.
  public var seed: UInt64?

  public init(
    latency: ClosedRange<Duration>? = nil, events: Events? = nil, requests: Requests? = nil, blocked: Way? = nil,
    seed: UInt64? = nil
  ) {
    self.latency = latency
    self.events = events
    self.requests = requests
    self.blocked = blocked
    self.seed = seed
  }

  /// A network without faults.
  public static let good = FleetNetwork()

  var faults: NetworkFaults? {
    guard self != .good else { return nil }
    return NetworkFaults(
      latency: latency.map {
        .init(
          from: Int(clamping: $0.lowerBound.wholeMilliseconds), to: Int(clamping: $0.upperBound.wholeMilliseconds))
      },
      events: events.map {
        .init(drop: $0.drop, duplicate: $0.duplicate, delay: $0.delay, reorder: $0.reorder, next: $0.next)
      },
      requests: requests.map { .init(drop: $0.drop, dropReplies: $0.dropReplies, next: $0.next) },
      blocked: blocked.map {
        switch $0 {
        case .events: .events
        case .requests: .requests
        }
      }, seed: seed)
  }
}
