extension Duration {
  /// Minutes of sixty seconds.
  public static func minutes(_ count: some BinaryInteger) -> Duration { .seconds(count) * 60 }

  /// Hours of sixty minutes.
  public static func hours(_ count: some BinaryInteger) -> Duration { .seconds(count) * 3_600 }

  /// Days of 24 hours, as every day of a world has.
  public static func days(_ count: some BinaryInteger) -> Duration { .seconds(count) * 86_400 }

  /// Rounded down; at the ends of what 64 bits hold, the end.
  var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, tooLarge) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return tooLarge ? (seconds < 0 ? .min : .max) : sum
  }
}
