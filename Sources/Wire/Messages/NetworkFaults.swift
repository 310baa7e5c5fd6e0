/// What a network does to messages on their way, beyond being there or not. Percentages are 0 to 100.
package struct NetworkFaults: Codable, Hashable, Sendable {
  /// How long each message takes, either way, in milliseconds. Messages of one way stay in order.
  package var latency: Latency?
  package var events: Events?
  package var requests: Requests?
  /// A way that nothing gets through.
  package var blocked: Way?
  /// Where the faults' randomness starts; nil goes on with the node's.
  package var seed: UInt64?

  package init(
    latency: Latency? = nil, events: Events? = nil, requests: Requests? = nil, blocked: Way? = nil,
    seed: UInt64? = nil
  ) {
    self.latency = latency
    self.events = events
    self.requests = requests
    self.blocked = blocked
    self.seed = seed
  }

  package struct Latency: Codable, Hashable, Sendable {
    package var from: Int
    package var to: Int

    package init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  package enum Way: String, Codable, Hashable, Sendable, CaseIterable {
    /// What the store publishes does not come; requests and their replies do.
    case events
    /// Requests do not go out; events come.
    case requests
  }

  /// What happens to events.
  package struct Events: Codable, Hashable, Sendable {
    package var drop: Int
    package var duplicate: Int
    /// Comes late: by a tenth of a second to two.
    package var delay: Int
    /// Comes after the one behind it.
    package var reorder: Int
    /// To how many events it happens; nil for as long as nobody says otherwise.
    package var next: Int?

    package init(drop: Int = 0, duplicate: Int = 0, delay: Int = 0, reorder: Int = 0, next: Int? = nil) {
      self.drop = drop
      self.duplicate = duplicate
      self.delay = delay
      self.reorder = reorder
      self.next = next
    }

    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      drop = try container.decodeIfPresent(Int.self, forKey: .drop) ?? 0
      duplicate = try container.decodeIfPresent(Int.self, forKey: .duplicate) ?? 0
      delay = try container.decodeIfPresent(Int.self, forKey: .delay) ?? 0
      reorder = try container.decodeIfPresent(Int.self, forKey: .reorder) ?? 0
      next = try container.decodeIfPresent(Int.self, forKey: .next)
    }
  }

  /// What happens to requests and to their replies. A request whose reply is missing is sent again under its id.
  package struct Requests: Codable, Hashable, Sendable {
    package var drop: Int
    package var dropReplies: Int
    /// To how many messages it happens; nil for as long as nobody says otherwise.
    package var next: Int?

    package init(drop: Int = 0, dropReplies: Int = 0, next: Int? = nil) {
      self.drop = drop
      self.dropReplies = dropReplies
      self.next = next
    }

    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      drop = try container.decodeIfPresent(Int.self, forKey: .drop) ?? 0
      dropReplies = try container.decodeIfPresent(Int.self, forKey: .dropReplies) ?? 0
      next = try container.decodeIfPresent(Int.self, forKey: .next)
    }
  }

  /// The longest that a message may take, in milliseconds.
  package static let longestLatency = 600_000

  /// - Throws: `badBody` when a number is out of its range.
  package func check() throws(WireError) {
    if let latency {
      guard latency.from >= 0, latency.from <= latency.to, latency.to <= NetworkFaults.longestLatency else {
        throw WireError(
          .badBody,
          "a latency of \(latency.from) to \(latency.to) ms is none: expected 0 to \(NetworkFaults.longestLatency), the smaller first"
        )
      }
    }
    let shares = [
      events.map { [$0.drop, $0.duplicate, $0.delay, $0.reorder] }, requests.map { [$0.drop, $0.dropReplies] },
    ].compactMap(\.self).flatMap(\.self)
    if let share = shares.first(where: { !(0...100).contains($0) }) {
      throw WireError(.badBody, "\(share) is no percentage: expected 0 to 100")
    }
    if let next = [events?.next, requests?.next].compactMap(\.self).first(where: { $0 < 1 }) {
      throw WireError(.badBody, "the next \(next) messages cannot be meant: expected 1 or more")
    }
  }
}
