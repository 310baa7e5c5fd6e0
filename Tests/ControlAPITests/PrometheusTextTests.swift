import ControlAPI
import Testing

@Suite struct PrometheusTextTests {
  @Test func aHistogramsBucketsAddUp() {
    var times = MetricFamily("times_seconds", .histogram, "How long.")
    times.add(bounds: [0.1, 1], counts: [2, 0, 1], sum: 3.5, [.init("request", "buy")])
    #expect(
      PrometheusText.of([times]) == """
        # HELP times_seconds How long.
        # TYPE times_seconds histogram
        times_seconds_bucket{request="buy",le="0.1"} 2
        times_seconds_bucket{request="buy",le="1"} 2
        times_seconds_bucket{request="buy",le="+Inf"} 3
        times_seconds_sum{request="buy"} 3.5
        times_seconds_count{request="buy"} 3

        """)
  }

  @Test func whatPeersSendCannotBreakALine() {
    var requests = MetricFamily("requests_total", .counter, "All \\ of\nthem.")
    requests.add(1, [.init("request", "a\"b\\c\nd")])
    #expect(
      PrometheusText.of([requests]) == """
        # HELP requests_total All \\\\ of\\nthem.
        # TYPE requests_total counter
        requests_total{request="a\\"b\\\\c\\nd"} 1

        """)
  }

  @Test func aFamilyWithoutSamplesIsNotThere() {
    #expect(PrometheusText.of([MetricFamily("nothing_total", .counter, "Nothing.")]) == "")
  }
}
