/// How many requests of a kind may come within an hour.
package enum RateLimit: Hashable, Sendable {
  /// Apple: Identifying rate limits. The sandbox has a tenth.
  case documented
  /// The same for every endpoint.
  case perHour(Int)

  func most(_ rate: EndpointRate, _ base: APIBase) -> Int {
    switch self {
    case .documented: rate.rawValue * 3_600 / (base == .production ? 1 : 10)
    case .perHour(let count): count
    }
  }
}

/// Requests in a second that Apple allows in production, on average over an hour.
enum EndpointRate: Int, Hashable, Sendable {
  case often = 50
  case extend = 20
  case lookUp = 10
  case rarely = 1
}
