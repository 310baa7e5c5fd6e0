/// How fast subscription periods pass on a world's clock (Apple: SKTestSession.TimeRate, the renewal rate of a sandbox
/// account, TestFlight's renewals).
///
/// The clock itself is not faster: periods are shorter.
package enum TimeRate: String, Codable, Hashable, Sendable, CaseIterable {
  case realTime
  case monthlyRenewalEveryHour
  case monthlyRenewalEveryThirtyMinutes
  case monthlyRenewalEveryFifteenMinutes
  case monthlyRenewalEveryFiveMinutes
  case monthlyRenewalEveryThreeMinutes
  case monthlyRenewalEveryThirtySeconds
  // Every period is as long, whatever the plan; trials too.
  case oneRenewalEveryFifteenMinutes
  case oneRenewalEveryFiveMinutes
  case oneRenewalEveryMinute
  case oneRenewalEveryThirtySeconds
  case oneRenewalEveryTenSeconds
  case oneRenewalEveryTwoSeconds
  // Every day is as long; a month has 30 and a year 365 (Apple has deprecated these).
  case oneHourIsOneDay
  case thirtyMinutesIsOneDay
  case fifteenMinutesIsOneDay
  case fiveMinutesIsOneDay
  case oneMinuteIsOneDay
  case oneSecondIsOneDay
  /// A renewal a day, six at most.
  case testFlight
  /// The sandbox of 2021: the five-minute rate with six renewals at most.
  case sandbox2021 = "sandbox-2021"
}

extension TimeRate {
  /// How periods become lengths. Milliseconds throughout.
  enum Scale {
    case calendar
    case scaled(month: Int64, week: Int64)
    case fixed(Int64)
    case daily(Int64)
  }

  var scale: Scale {
    switch self {
    case .realTime: .calendar
    case .monthlyRenewalEveryHour: .scaled(month: 3_600_000, week: 900_000)
    case .monthlyRenewalEveryThirtyMinutes: .scaled(month: 1_800_000, week: 600_000)
    case .monthlyRenewalEveryFifteenMinutes: .scaled(month: 900_000, week: 300_000)
    case .monthlyRenewalEveryFiveMinutes, .sandbox2021: .scaled(month: 300_000, week: 180_000)
    // Apple prints no table for this rate. A week is three fifths of a month, as at five minutes, the nearest rate.
    case .monthlyRenewalEveryThreeMinutes: .scaled(month: 180_000, week: 108_000)
    case .monthlyRenewalEveryThirtySeconds: .scaled(month: 30_000, week: 10_000)
    case .oneRenewalEveryFifteenMinutes: .fixed(900_000)
    case .oneRenewalEveryFiveMinutes: .fixed(300_000)
    case .oneRenewalEveryMinute: .fixed(60_000)
    case .oneRenewalEveryThirtySeconds: .fixed(30_000)
    case .oneRenewalEveryTenSeconds: .fixed(10_000)
    case .oneRenewalEveryTwoSeconds: .fixed(2_000)
    case .testFlight: .fixed(86_400_000)
    case .oneHourIsOneDay: .daily(3_600_000)
    case .thirtyMinutesIsOneDay: .daily(1_800_000)
    case .fifteenMinutesIsOneDay: .daily(900_000)
    case .fiveMinutesIsOneDay: .daily(300_000)
    case .oneMinuteIsOneDay: .daily(60_000)
    case .oneSecondIsOneDay: .daily(1_000)
    }
  }

  /// The end of `count` periods, one after the other, the first of which begins at `start`: on the calendar in real
  /// time, else as the rate has it. A day is a seventh of the rate's week.
  package func end(of period: SubscriptionPeriod, times count: Int = 1, from start: StoreTime) -> StoreTime {
    guard count > 0 else { return start }
    switch scale {
    case .calendar: return start.adding(period, times: count)
    case .fixed(let length): return start.advanced(by: length.saturating(times: Int64(count)))
    case .daily(let day):
      let units = Int64(period.value).saturating(times: Int64(count))
      let days: Int64 =
        switch period.unit {
        case .day: 1
        case .week: 7
        case .month: 30
        case .year: 365
        }
      return start.advanced(by: day.saturating(times: units.saturating(times: days)))
    case .scaled(let month, let week):
      let units = Int64(period.value).saturating(times: Int64(count))
      let length =
        switch period.unit {
        case .day: week.saturating(times: units) / 7
        case .week: week.saturating(times: units)
        case .month: month.saturating(times: units)
        case .year: (month * 12).saturating(times: units)
        }
      return start.advanced(by: max(length, 1_000))
    }
  }

  /// The end of an offer that is one transaction of `count` periods: a free trial, or one that is paid up front. Where
  /// all periods are as long, the whole offer is one of them.
  package func end(ofOffer period: SubscriptionPeriod, count: Int, from start: StoreTime) -> StoreTime {
    if case .fixed = scale { return end(of: period, from: start) }
    return end(of: period, times: count, from: start)
  }

  /// How long billing is tried again after a renewal failed, the grace period included: 60 days, or twice the month.
  package var retryMilliseconds: Int64 {
    switch scale {
    case .calendar: 60 * CivilDate.millisecondsPerDay
    case .scaled(let month, _): 2 * month
    case .fixed(let length): 2 * length
    case .daily(let day): 60 * day
    }
  }

  /// How long a plan with this period stays usable after a renewal failed. In real time that is the choice of the
  /// developer, which weekly plans have their own lengths for; accelerated rates have one length each: half a month,
  /// and six sevenths of a week for weekly plans.
  package func graceMilliseconds(of grace: GracePeriod, period: SubscriptionPeriod) -> Int64 {
    let isWeekly = (period.unit == .day && period.value <= 7) || (period.unit == .week && period.value == 1)
    switch scale {
    case .calendar:
      let days = isWeekly ? min(grace.length.rawValue, GracePeriod.longestOfWeeklyPlans) : grace.length.rawValue
      return Int64(days) * CivilDate.millisecondsPerDay
    case .scaled(let month, let week):
      // Apple's table is in whole seconds, to the nearest.
      return isWeekly ? (week * 6 / 7 + 500) / 1_000 * 1_000 : month / 2
    case .fixed(let length): return length
    // StoreKit Testing has one choice: 16 days, 6 for weekly plans.
    case .daily(let day): return day * (isWeekly ? 6 : 16)
    }
  }

  /// How often a subscription renews by itself before it lapses; nil without end.
  package var mostRenewals: Int? {
    switch self {
    case .monthlyRenewalEveryHour, .monthlyRenewalEveryThirtyMinutes, .monthlyRenewalEveryFifteenMinutes,
      .monthlyRenewalEveryFiveMinutes, .monthlyRenewalEveryThreeMinutes:
      12
    case .testFlight, .sandbox2021: 6
    case .realTime, .monthlyRenewalEveryThirtySeconds, .oneRenewalEveryFifteenMinutes, .oneRenewalEveryFiveMinutes,
      .oneRenewalEveryMinute, .oneRenewalEveryThirtySeconds, .oneRenewalEveryTenSeconds, .oneRenewalEveryTwoSeconds,
      .oneHourIsOneDay, .thirtyMinutesIsOneDay, .fifteenMinutesIsOneDay, .fiveMinutesIsOneDay, .oneMinuteIsOneDay,
      .oneSecondIsOneDay:
      nil
    }
  }

  /// The longest gap inside one series of subscriptions (Apple: recentSubscriptionStartDate).
  package var seriesGapMilliseconds: Int64 {
    self == .realTime ? 60 * CivilDate.millisecondsPerDay : 600_000
  }
}

extension Int64 {
  /// The product of two numbers that are not negative; the largest number where it is too large.
  fileprivate func saturating(times other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }
}
