/// When one client process of a load run buys, and on which of its devices.
///
/// Purchases come at a constant rate, whatever became of the ones before: the processes take turns, so that together
/// they make one even stream. Every device buys once before one buys again, in an order that the seed decides.
package struct LoadSchedule: Sequence, Hashable, Sendable {
  package struct Purchase: Hashable, Sendable {
    /// When it is meant to happen, in microseconds after the start.
    package var offset: Int64
    /// An index into the devices of the process.
    package var device: Int

    package init(offset: Int64, device: Int) {
      self.offset = offset
      self.device = device
    }
  }

  /// Purchases a second of all processes together.
  package var rate: Double
  /// Purchases of all processes together.
  package var total: Int
  /// This process, from 0, and how many there are.
  package var client: Int
  package var clients: Int
  package var devices: Int
  package var seed: UInt64

  package init(rate: Double, total: Int, client: Int, clients: Int, devices: Int, seed: UInt64) {
    self.rate = rate
    self.total = total
    self.client = client
    self.clients = clients
    self.devices = devices
    self.seed = seed
  }

  package func makeIterator() -> Iterator { Iterator(schedule: self) }

  package struct Iterator: IteratorProtocol {
    private let schedule: LoadSchedule
    private var number: Int
    private var random: SplitMix64
    private var round: [Int] = []

    fileprivate init(schedule: LoadSchedule) {
      self.schedule = schedule
      number = schedule.client
      random = SplitMix64(seed: schedule.seed &+ UInt64(truncatingIfNeeded: schedule.client))
    }

    package mutating func next() -> Purchase? {
      guard number < schedule.total, schedule.devices > 0, schedule.clients > 0, schedule.rate > 0 else { return nil }
      if round.isEmpty { round = (0..<schedule.devices).shuffled(using: &random) }
      defer { number += schedule.clients }
      return Purchase(offset: Int64(Double(number) * 1_000_000 / schedule.rate), device: round.removeLast())
    }
  }
}
