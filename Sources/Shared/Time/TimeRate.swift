/// How fast subscription periods pass on a world's clock (Apple: sandbox renewal rates, SKTestSession.TimeRate).
///
/// The clock itself is not faster: periods are shorter.
package enum TimeRate: String, Codable, Hashable, Sendable, CaseIterable {
  case realTime
  case monthlyRenewalEveryHour
  case monthlyRenewalEveryThirtyMinutes
  case monthlyRenewalEveryFifteenMinutes
  case monthlyRenewalEveryFiveMinutes
  case monthlyRenewalEveryThirtySeconds
}

extension TimeRate {
  /// How long a month lasts, in milliseconds; nil in real time.
  var monthMilliseconds: Int64? {
    switch self {
    case .realTime: nil
    case .monthlyRenewalEveryHour: 3_600_000
    case .monthlyRenewalEveryThirtyMinutes: 1_800_000
    case .monthlyRenewalEveryFifteenMinutes: 900_000
    case .monthlyRenewalEveryFiveMinutes: 300_000
    case .monthlyRenewalEveryThirtySeconds: 30_000
    }
  }

  /// How long a week lasts, in milliseconds; nil in real time.
  var weekMilliseconds: Int64? {
    switch self {
    case .realTime: nil
    case .monthlyRenewalEveryHour: 900_000
    case .monthlyRenewalEveryThirtyMinutes: 600_000
    case .monthlyRenewalEveryFifteenMinutes: 300_000
    case .monthlyRenewalEveryFiveMinutes: 180_000
    case .monthlyRenewalEveryThirtySeconds: 10_000
    }
  }

  /// The end of `count` periods that begin at `start`: on the calendar in real time, else as the rate has it. A day is
  /// a seventh of the rate's week.
  package func end(of period: SubscriptionPeriod, times count: Int = 1, from start: StoreTime) -> StoreTime {
    guard let month = monthMilliseconds, let week = weekMilliseconds else { return start.adding(period, times: count) }
    let units = Int64(period.value) * Int64(count)
    let length: Int64 =
      switch period.unit {
      case .day: week * units / 7
      case .week: week * units
      case .month: month * units
      case .year: month * 12 * units
      }
    return start.advanced(by: max(length, 1_000))
  }
}
