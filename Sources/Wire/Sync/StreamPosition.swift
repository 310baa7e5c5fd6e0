/// How far someone has followed an actor's events: the epoch first, then the count of events within it.
package struct StreamPosition: Hashable, Sendable, Codable {
  package var epoch: UInt64
  package var sequence: UInt64

  package init(epoch: UInt64, sequence: UInt64) {
    self.epoch = epoch
    self.sequence = sequence
  }

  /// Before everything: no actor has the epoch 0.
  package static let start = StreamPosition(epoch: 0, sequence: 0)

  package enum Step: Hashable, Sendable {
    /// The event that comes next.
    case next
    /// Known already.
    case old
    /// Events in between are missing, or the epoch is another one.
    case gap
  }

  /// What an event at `other` is to someone who stands here.
  package func step(to other: StreamPosition) -> Step {
    if other <= self { return .old }
    // `other` is higher, so within the epoch its sequence is at least 1.
    return other.epoch == epoch && other.sequence - 1 == sequence ? .next : .gap
  }
}

extension StreamPosition: Comparable {
  package static func < (left: StreamPosition, right: StreamPosition) -> Bool {
    (left.epoch, left.sequence) < (right.epoch, right.sequence)
  }
}

extension StreamPosition: CustomStringConvertible {
  package var description: String { "\(epoch):\(sequence)" }
}

extension AccountPosition {
  package var position: StreamPosition { StreamPosition(epoch: epoch, sequence: sequence) }
}
