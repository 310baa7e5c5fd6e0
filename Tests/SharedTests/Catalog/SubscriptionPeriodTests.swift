import Foundation
import Shared
import Testing

struct SubscriptionPeriodTests {
  @Test(arguments: [
    ("P1W", 1, SubscriptionPeriod.Unit.week), ("P3D", 3, .day), ("P1M", 1, .month), ("P1Y", 1, .year),
    ("P2W", 2, .week), ("P12M", 12, .month), ("P999D", 999, .day),
  ])
  func readsAndPrintsISO8601(text: String, value: Int, unit: SubscriptionPeriod.Unit) throws {
    let period = try #require(SubscriptionPeriod(text))
    #expect(period.value == value)
    #expect(period.unit == unit)
    #expect(period.description == text)
  }

  @Test(arguments: [
    "", "P", "P1", "1M", "PM", "P0M", "P-1M", "P+1M", "P01M", "p1m", "P1m", "P1.5M", "P1M2D", "PT1H", " P1M", "P1M ",
    "P1000D", "P99999999999999999999Y", "P١M", "P1H", "PP1M",
  ])
  func refusesEverythingElse(text: String) {
    #expect(SubscriptionPeriod(text) == nil)
  }

  @Test func valueOutOfRangeIsNoPeriod() {
    #expect(SubscriptionPeriod(0, .day) == nil)
    #expect(SubscriptionPeriod(1000, .day) == nil)
    #expect(SubscriptionPeriod(7, .day)?.description == "P7D")
  }

  @Test func isAStringInJSON() throws {
    let period = try #require(SubscriptionPeriod(6, .month))
    #expect(String(decoding: try JSONEncoder().encode([period]), as: UTF8.self) == #"["P6M"]"#)
    #expect(try JSONDecoder().decode([SubscriptionPeriod].self, from: Data(#"["P6M"]"#.utf8)) == [period])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([SubscriptionPeriod].self, from: Data(#"["P0M"]"#.utf8))
    }
  }
}
