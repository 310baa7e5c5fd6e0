extension Duration {
  /// What is finer than a millisecond is cut off; at the ends of what 64 bits hold, the end.
  ///
  /// The quotient of two durations is a `Double` and no way to count: of 13 hours it makes 46,799,999.999….
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, tooLarge) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return tooLarge ? (seconds < 0 ? .min : .max) : sum
  }
}
