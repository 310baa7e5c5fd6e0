import Foundation
import Shared
import Testing

/// Apple's tables of accelerated time: SKTestSession.TimeRate and the renewal rates of the sandbox.
@Suite struct TimeRateTests {
  private static let start = StoreTime(milliseconds: 1_767_225_600_000)
  private static let periods = ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"]

  struct Row: Sendable, CustomTestStringConvertible {
    var rate: TimeRate
    /// Seconds of a week, 1, 2, 3, 6 months and a year.
    var lengths: [Int64]
    /// Seconds of grace for weekly plans and for others, and of all retry.
    var weeklyGrace: Int64
    var grace: Int64
    var retry: Int64
    var mostRenewals: Int?
    var testDescription: String { rate.rawValue }

    init(_ rate: TimeRate, _ lengths: [Int64], _ weeklyGrace: Int64, _ grace: Int64, _ retry: Int64, _ most: Int?) {
      self.rate = rate
      self.lengths = lengths
      self.weeklyGrace = weeklyGrace
      self.grace = grace
      self.retry = retry
      mostRenewals = most
    }

    /// By arithmetic: 30 days a month, 365 a year.
    static func daily(_ rate: TimeRate, _ day: Int64) -> Row {
      Row(rate, [7, 30, 60, 90, 180, 365].map { $0 * day }, 6 * day, 16 * day, 60 * day, nil)
    }

    static func fixed(_ rate: TimeRate, _ seconds: Int64, _ most: Int? = nil) -> Row {
      Row(rate, Array(repeating: seconds, count: 6), seconds, seconds, 2 * seconds, most)
    }
  }

  static let rows: [Row] = [
    Row(.monthlyRenewalEveryHour, [900, 3_600, 7_200, 10_800, 21_600, 43_200], 771, 1_800, 7_200, 12),
    Row(.monthlyRenewalEveryThirtyMinutes, [600, 1_800, 3_600, 5_400, 10_800, 21_600], 514, 900, 3_600, 12),
    Row(.monthlyRenewalEveryFifteenMinutes, [300, 900, 1_800, 2_700, 5_400, 10_800], 257, 450, 1_800, 12),
    Row(.monthlyRenewalEveryFiveMinutes, [180, 300, 600, 900, 1_800, 3_600], 154, 150, 600, 12),
    // By arithmetic: Apple prints no table for it.
    Row(.monthlyRenewalEveryThreeMinutes, [108, 180, 360, 540, 1_080, 2_160], 93, 90, 360, 12),
    Row(.monthlyRenewalEveryThirtySeconds, [10, 30, 60, 90, 180, 360], 9, 15, 60, nil),
    Row(.sandbox2021, [180, 300, 600, 900, 1_800, 3_600], 154, 150, 600, 6),
    .fixed(.oneRenewalEveryFifteenMinutes, 900), .fixed(.oneRenewalEveryFiveMinutes, 300),
    .fixed(.oneRenewalEveryMinute, 60), .fixed(.oneRenewalEveryThirtySeconds, 30),
    .fixed(.oneRenewalEveryTenSeconds, 10), .fixed(.oneRenewalEveryTwoSeconds, 2),
    .fixed(.testFlight, 86_400, 6),
    .daily(.oneHourIsOneDay, 3_600), .daily(.thirtyMinutesIsOneDay, 1_800), .daily(.fifteenMinutesIsOneDay, 900),
    .daily(.fiveMinutesIsOneDay, 300), .daily(.oneMinuteIsOneDay, 60), .daily(.oneSecondIsOneDay, 1),
  ]

  @Test func everyAcceleratedRateHasARow() {
    #expect(Set(Self.rows.map(\.rate)).union([.realTime]) == Set(TimeRate.allCases))
  }

  @Test(arguments: rows, [GracePeriod.Length.threeDays, .twentyEightDays])
  func lengthsAreThoseOfTheTable(row: Row, length: GracePeriod.Length) throws {
    let grace = GracePeriod(length)
    for (text, seconds) in zip(Self.periods, row.lengths) {
      let period = try #require(SubscriptionPeriod(text))
      #expect(row.rate.end(of: period, from: Self.start) == Self.start.advanced(by: seconds * 1_000), "\(text)")
      #expect(row.rate.end(of: period, times: 3, from: Self.start) == Self.start.advanced(by: seconds * 3_000))
      let expected = text == "P1W" ? row.weeklyGrace : row.grace
      #expect(row.rate.graceMilliseconds(of: grace, period: period) == expected * 1_000, "\(text)")
    }
    #expect(row.rate.retryMilliseconds == row.retry * 1_000)
    #expect(row.rate.mostRenewals == row.mostRenewals)
  }

  @Test(arguments: [(GracePeriod.Length.threeDays, 3, 3), (.sixteenDays, 6, 16), (.twentyEightDays, 6, 28)])
  func graceOfRealTimeIsTheChoiceAndSixDaysAtMostForWeeklyPlans(
    length: GracePeriod.Length, weekly: Int64, other: Int64
  ) throws {
    let day: Int64 = 86_400_000
    for (text, days) in [("P1W", weekly), ("P1M", other), ("P1Y", other)] {
      let period = try #require(SubscriptionPeriod(text))
      #expect(TimeRate.realTime.graceMilliseconds(of: GracePeriod(length), period: period) == days * day, "\(text)")
    }
    #expect(TimeRate.realTime.retryMilliseconds == 60 * day)
    #expect(TimeRate.realTime.mostRenewals == nil)
  }

  @Test func offerIsOnePeriodWhereAllPeriodsAreAsLong() throws {
    let week = try #require(SubscriptionPeriod("P1W"))
    #expect(
      TimeRate.oneRenewalEveryTwoSeconds.end(ofOffer: week, count: 4, from: Self.start)
        == Self.start.advanced(by: 2_000))
    #expect(
      TimeRate.monthlyRenewalEveryHour.end(ofOffer: week, count: 4, from: Self.start)
        == Self.start.advanced(by: 3_600_000))
  }

  @Test(arguments: TimeRate.allCases)
  func noLengthOverflowsAndNoneIsEmpty(rate: TimeRate) throws {
    for unit in SubscriptionPeriod.Unit.allCases {
      let shortest = try #require(SubscriptionPeriod(1, unit))
      let longest = try #require(SubscriptionPeriod(999, unit))
      #expect(rate.end(of: shortest, from: Self.start) > Self.start)
      #expect(rate.end(of: longest, times: 1_000_000, from: Self.start) > Self.start)
      #expect(rate.end(of: shortest, times: 0, from: Self.start) == Self.start)
    }
  }

  @Test func seriesOfSubscriptionsHasGapsOfSixtyDaysOrTenMinutes() {
    #expect(TimeRate.realTime.seriesGapMilliseconds == 60 * 86_400_000)
    #expect(TimeRate.monthlyRenewalEveryFiveMinutes.seriesGapMilliseconds == 600_000)
  }
}
