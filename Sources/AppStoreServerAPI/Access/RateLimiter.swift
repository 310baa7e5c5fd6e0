import Synchronization

/// Counts requests by the hour, for each world, base and kind of endpoint.
final class RateLimiter: Sendable {
  private struct Key: Hashable {
    var rate: EndpointRate
    var world: String
    var base: APIBase
  }

  private struct Hour {
    /// Seconds since 1970.
    var end: Double
    var count = 0
  }

  private static let seconds: Double = 3_600
  private let limit: RateLimit
  private let hours = Mutex<[Key: Hour]>([:])

  init(_ limit: RateLimit) { self.limit = limit }

  /// Counts a request.
  ///
  /// - Parameter now: Seconds since 1970.
  /// - Returns: Nil when it may be answered, else when to come back, in milliseconds since 1970.
  func refuse(_ rate: EndpointRate, _ world: String, _ base: APIBase, at now: Double) -> Int64? {
    hours.withLock { hours in
      let key = Key(rate: rate, world: world, base: base)
      var hour = hours[key] ?? Hour(end: now + RateLimiter.seconds)
      if now >= hour.end { hour = Hour(end: now + RateLimiter.seconds) }
      hour.count += 1
      hours[key] = hour
      return hour.count > limit.most(rate, base) ? Int64((hour.end * 1_000).rounded(.up)) : nil
    }
  }
}
