extension Duration {
  /// Minutes of sixty seconds.
  public static func minutes(_ count: some BinaryInteger) -> Duration { .seconds(count) * 60 }

  /// Hours of sixty minutes.
  public static func hours(_ count: some BinaryInteger) -> Duration { .seconds(count) * 3_600 }

  /// Days of 24 hours, as every day of a world has.
  public static func days(_ count: some BinaryInteger) -> Duration { .seconds(count) * 86_400 }
}
