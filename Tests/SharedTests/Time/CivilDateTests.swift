import Foundation
import Shared
import Testing

@Suite struct CivilDateTests {
  private let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  @Test func sumsAreThoseOfFoundationsCalendarOverFourCenturies() throws {
    var random = SplitMix64(seed: 20_261_201)
    for _ in 0..<2_000 {
      let start = StoreTime(milliseconds: Int64.random(in: -6_000_000_000_000...6_600_000_000_000, using: &random))
      let count = Int.random(in: 1...40, using: &random)
      for (unit, component) in [
        (SubscriptionPeriod.Unit.day, Calendar.Component.day), (.week, .weekOfYear), (.month, .month), (.year, .year),
      ] {
        let period = try #require(SubscriptionPeriod(count, unit))
        let expected = try #require(calendar.date(byAdding: component, value: count, to: start.date))
        #expect(start.adding(period) == StoreTime(expected), "\(start) + \(period)")
      }
    }
  }

  @Test(arguments: [
    ("2026-01-31T10:00:00Z", 1, "2026-02-28T10:00:00Z"), ("2026-01-31T10:00:00Z", 2, "2026-03-31T10:00:00Z"),
    ("2028-01-31T10:00:00Z", 1, "2028-02-29T10:00:00Z"), ("2027-12-31T23:59:59Z", 2, "2028-02-29T23:59:59Z"),
    ("1900-01-31T00:00:00Z", 1, "1900-02-28T00:00:00Z"),
  ])
  func monthEndsBecomeTheLastDayAndComeBack(start: String, months: Int, end: String) throws {
    let period = try #require(SubscriptionPeriod("P1M"))
    let from = StoreTime(try Date(start, strategy: .iso8601))
    #expect(from.adding(period, times: months) == StoreTime(try Date(end, strategy: .iso8601)))
  }

  @Test func leapDayPlusAYearIsTheTwentyEighth() throws {
    let period = try #require(SubscriptionPeriod("P1Y"))
    let start = StoreTime(try Date("2028-02-29T12:00:00Z", strategy: .iso8601))
    #expect(start.adding(period).description == "2029-02-28T12:00:00Z")
    #expect(start.adding(period, times: 4).description == "2032-02-29T12:00:00Z")
  }

  @Test func daysThereAndBack() {
    for day in stride(from: Int64(-1_000_000), through: 3_000_000, by: 997) {
      #expect(CivilDate(daysSince1970: day).daysSince1970 == day)
    }
  }
}
