extension Subscribers {
  /// How many values a subscriber asks for.
  public struct Demand: Hashable, Comparable, Sendable {
    /// Nil without a limit.
    public let max: Int?

    private init(limit: Int?) { max = limit }

    public static let unlimited = Demand(limit: nil)
    public static let none = Demand(limit: 0)
    public static func max(_ value: Int) -> Demand { Demand(limit: Swift.max(value, 0)) }

    public static func < (left: Demand, right: Demand) -> Bool {
      guard let most = left.max else { return false }
      return right.max.map { most < $0 } ?? true
    }
  }
}
