import Fleet
public import Foundation
import Shared
import Wire

/// A world's clock. Moving it plays everything that is due on the way, in order: renewals, expiries, retries.
public struct FleetClock: Sendable {
  public enum Mode: Hashable, Sendable {
    /// Goes with the machine's.
    case real
    /// Stands still until the test moves it.
    case manual(startsAt: Date)
  }

  /// How long subscription periods last, in the words of StoreKitTest and the sandbox.
  public enum Rate: String, Hashable, Sendable, CaseIterable {
    case realTime
    case monthlyRenewalEveryHour, monthlyRenewalEveryThirtyMinutes, monthlyRenewalEveryFifteenMinutes
    case monthlyRenewalEveryFiveMinutes, monthlyRenewalEveryThreeMinutes, monthlyRenewalEveryThirtySeconds
    case oneRenewalEveryFifteenMinutes, oneRenewalEveryFiveMinutes, oneRenewalEveryMinute
    case oneRenewalEveryThirtySeconds, oneRenewalEveryTenSeconds, oneRenewalEveryTwoSeconds
    /// So long is a day of every period.
    case oneHourIsOneDay, thirtyMinutesIsOneDay, fifteenMinutesIsOneDay
    case fiveMinutesIsOneDay, oneMinuteIsOneDay, oneSecondIsOneDay
    /// A renewal a day, six at most.
    case testFlight
    /// The sandbox of 2021: a month in five minutes, six renewals at most.
    case sandbox2021 = "sandbox-2021"

    var timeRate: TimeRate { TimeRate(rawValue: rawValue) ?? .realTime }
  }

  let fleet: Fleet

  public var now: Date {
    get async throws { try await fleet.tell(DescribeWorld(), fleet.world).now.date }
  }

  /// Moves a manual clock; returns when what was due has happened. An app in a process of its own sees the time in
  /// `Date()` before anything of it.
  @discardableResult
  public func advance(by duration: Duration) async throws -> Date {
    try await move(.by(milliseconds: duration.wholeMilliseconds))
  }

  @discardableResult
  public func advance(days: Int) async throws -> Date { try await advance(by: .days(days)) }

  @discardableResult
  public func advance(to date: Date) async throws -> Date { try await move(.to(StoreTime(date))) }

  /// Moves to the next thing that is due.
  @discardableResult
  public func advanceToNextEvent() async throws -> Date { try await move(.nextEvent) }

  /// Periods that begin from now on last as the rate says.
  public func setRate(_ rate: Rate) async throws {
    _ = try await fleet.tell(SetTimeRate(rate.timeRate), fleet.world)
  }

  private func move(_ target: AdvanceClock.Target) async throws -> Date {
    try await fleet.tell(AdvanceClock(target), fleet.world).now.date
  }
}
