import Wire

/// What the node knows of its server: whether it answers, and which of its lives it is in.
struct ServerLink: Sendable {
  enum Contact: Sendable {
    /// Nothing heard yet, and not long enough to say that there is nobody.
    case unknown
    case up
    /// Three heartbeats were missed.
    case lost
  }

  var contact = Contact.unknown
  /// Grows at each start of the server node; 0 before the first hello was answered.
  var incarnation: UInt64 = 0
  var heartbeatMilliseconds: Int64 = 1_000
  /// The highest number of a heartbeat in the server's present life.
  var lastHeartbeat: UInt64?
  var lastHeard = MonotonicTime(microseconds: 0)
  /// The links on which a hello was answered in the server's present life.
  var greeted: Set<ClientLink> = []
  /// Whether the server node knows all devices of this node: they are listed only while it does not.
  var isListed = false
  /// The last hellos, so that a reply finds its link.
  private(set) var hellos: [(id: RequestID, link: ClientLink)] = []

  /// Heartbeats since the last hello over the store's link.
  var hellosDue = 0

  static let missedHeartbeats: Int64 = 3
  /// A server node forgets connections that were silent for 30 heartbeats.
  static let heartbeatsPerStoreHello = 10
  private static let keptHellos = 16

  mutating func sent(_ id: RequestID, on link: ClientLink) {
    if hellos.count >= ServerLink.keptHellos { hellos.removeFirst() }
    hellos.append((id, link))
  }

  /// The link that a hello went over; nil when the id is no recent hello's.
  mutating func take(_ id: RequestID) -> ClientLink? {
    guard let place = hellos.firstIndex(where: { $0.id == id }) else { return nil }
    return hellos.remove(at: place).link
  }

  /// When the silence is long enough to count as a loss: half an interval late is still in time.
  var silenceEnds: MonotonicTime {
    lastHeard.advanced(byMilliseconds: heartbeatMilliseconds * ServerLink.missedHeartbeats + heartbeatMilliseconds / 2)
  }
}
