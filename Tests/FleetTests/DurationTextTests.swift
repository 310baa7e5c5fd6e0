import Fleet
import Testing

struct DurationTextTests {
  @Test(arguments: [
    ("0", 0), ("250ms", 250), ("10s", 10_000), ("1.5s", 1_500), ("2h30m", 9_000_000), ("3d", 259_200_000),
    ("1w2d", 777_600_000), ("1m1s1ms", 61_001), ("0.001s", 1), ("0.5w", 302_400_000), ("00010s", 10_000),
  ])
  func textIsRead(text: String, milliseconds: Int) throws {
    #expect(try DurationText.parse(text) == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    ("", "the duration is empty: write a duration like 250ms, 10s, 2h30m or 3d"),
    ("10", "'10' has a number without a unit: write a duration like 250ms, 10s, 2h30m or 3d"),
    ("-5s", "'-5s' is negative: a duration cannot be"),
    ("ten", "'ten' is no duration: write a duration like 250ms, 10s, 2h30m or 3d"),
    ("5y", "'5y' has the unknown unit 'y': use ms, s, m, h, d or w"),
    ("5 s", "'5 s' has the unknown unit ' s': use ms, s, m, h, d or w"),
    ("30m2h", "'30m2h' has its units out of order: write the larger one first, each once"),
    ("1s1s", "'1s1s' has its units out of order: write the larger one first, each once"),
    ("1.2.3s", "'1.2.3s' has a number that is none, '1.2.3': write a duration like 250ms, 10s, 2h30m or 3d"),
    (".s", "'.s' has a number that is none, '.': write a duration like 250ms, 10s, 2h30m or 3d"),
    ("0.5ms", "'0.5ms' is finer than a millisecond: round it"),
    ("0.0000000000000000001w", "'0.0000000000000000001w' is finer than a millisecond: round it"),
    ("99999999999999999999s", "'99999999999999999999s' is too long"),
    ("9223372036854775807s", "'9223372036854775807s' is too long"),
    ("15250284452w9999999999999999ms", "'15250284452w9999999999999999ms' is too long"),
    ("٣s", "'٣s' is no duration: write a duration like 250ms, 10s, 2h30m or 3d"),
  ])
  func malformedTextIsExplained(text: String, sentence: String) throws {
    let error = try #require(throws: DurationText.Malformed.self) { try DurationText.parse(text) }
    #expect(error.message == sentence)
  }

  @Test(arguments: ["0", "1ms", "10s", "2h30m", "3d", "1w2d3h4m5s6ms"])
  func writtenTextReadsTheSame(text: String) throws {
    #expect(DurationText.format(try DurationText.parse(text)) == text)
  }

  @Test func millisecondsAreExactAndStayAtTheEnds() throws {
    for hours in 1...24 * 400 {
      let duration = try DurationText.parse("\(hours)h")
      #expect(duration.wholeMilliseconds == Int64(hours) * 3_600_000)
      #expect((.zero - duration).wholeMilliseconds == Int64(hours) * -3_600_000)
    }
    #expect(try DurationText.parse("9223372036854775807ms").wholeMilliseconds == .max)
    #expect(Duration.seconds(Int64.max).wholeMilliseconds == .max)
    #expect(Duration.seconds(Int64.min).wholeMilliseconds == .min)
  }

  @Test func longestDurationCanBeWritten() {
    #expect(DurationText.format(.seconds(Int64.max)).hasSuffix("ms"))
    #expect(DurationText.format(.seconds(-5)) == "0")
  }
}
