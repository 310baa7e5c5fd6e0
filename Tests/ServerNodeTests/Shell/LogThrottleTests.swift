import Testing

@testable import ServerNode

struct LogThrottleTests {
  @Test func lineThatRepeatsIsSaidOnceAMinuteWithItsCount() {
    var throttle = LogThrottle()
    #expect(throttle.admit("gone", at: 1_000) == "gone")
    #expect(throttle.admit("gone", at: 1_001) == nil)
    #expect(throttle.admit("gone", at: 60_999) == nil)
    #expect(throttle.admit("gone", at: 61_000) == "gone (2 times more since this was last said)")
    #expect(throttle.admit("gone", at: 121_000) == "gone")
  }

  @Test func otherLinesAreSaidAtOnce() {
    var throttle = LogThrottle()
    #expect(throttle.admit("gone", at: 0) == "gone")
    #expect(throttle.admit("refused", at: 1) == "refused")
  }
}
