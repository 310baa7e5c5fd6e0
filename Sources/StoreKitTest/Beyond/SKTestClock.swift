public import Foundation
import Shared
import Wire

/// The store's clock. It is the machine's until it is moved; from then on it stands still between moves, so that a test
/// of a year needs no waiting. Beyond Apple.
///
/// Every renewal and lapse on the way happens at its own time, in order, and shows on the devices when a move returns.
/// The clock of the process is not touched: code that compares with `Date()` sees the machine's time.
public struct SKTestClock: Sendable {
  let world: TestWorld

  public var now: Date {
    get throws { try world.tell(DescribeWorld(), world.world).now.date }
  }

  /// Stands still from now on.
  public func stop() throws { try world.tell(ChangeWorld(clock: .manual), world.world) }

  /// The machine's clock again, as after `resetToDefaultState()`.
  public func release() throws { try world.tell(ChangeWorld(clock: .real), world.world) }

  public func advance(by duration: Duration) throws {
    let (seconds, attoseconds) = duration.components
    try move(.by(milliseconds: seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
  }

  /// - Throws: for an instant that has passed.
  public func advance(to date: Date) throws { try move(.to(StoreTime(date))) }

  /// To the next renewal, lapse or other thing that happens by itself; nowhere when there is none.
  public func advanceToNextEvent() throws { try move(.nextEvent) }

  private func move(_ target: AdvanceClock.Target) throws {
    world.changes.lock()
    defer { world.changes.unlock() }
    try stop()
    try world.tell(AdvanceClock(target), world.world)
  }
}

extension SKTestSession {
  public var clock: SKTestClock { SKTestClock(world: world) }
}
