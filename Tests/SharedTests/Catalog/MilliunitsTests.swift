import Shared
import Testing

struct MilliunitsTests {
  @Test(arguments: [
    ("0.99", 990), ("12.00", 12_000), ("1500", 1_500_000), ("0", 0), ("999999.99", 999_999_990), ("0.001", 1),
    ("1.2300", 1_230), ("00.5", 500), ("0.1", 100), ("1000000000000", Milliunits.maximum),
  ])
  func readsDecimalsExactly(text: String, milliunits: Int64) {
    #expect(Milliunits.parse(text) == milliunits)
  }

  @Test(arguments: [
    "", ".", "1.", ".5", "1,99", "1e2", "-1", "+1", " 4.99 ", "$1", "1.0001", "1.2.3", "1_000", "NaN", "١",
    "1000000000000.001", "99999999999999999999999999",
  ])
  func refusesWhatReadsDifferentlySomewhere(text: String) {
    #expect(Milliunits.parse(text) == nil)
  }

  @Test func everyCentComesBackAsItWasWritten() {
    let changed = (0...100_000 as ClosedRange<Int64>).filter { Milliunits.parse(Milliunits.text($0 * 10)) != $0 * 10 }
    #expect(changed.isEmpty)
  }

  @Test func printsAtLeastTheDigitsOfTheCurrency() {
    #expect(Milliunits.text(990) == "0.99")
    #expect(Milliunits.text(12_000) == "12.00")
    #expect(Milliunits.text(1_500_000, fractionDigits: 0) == "1500")
    #expect(Milliunits.text(1_500_500, fractionDigits: 0) == "1500.5")
    #expect(Milliunits.text(1) == "0.001")
    #expect(Milliunits.text(-1_230) == "-1.23")
    #expect(Milliunits.text(.min) == "-9223372036854775.808")
  }
}
