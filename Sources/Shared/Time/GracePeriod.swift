/// For how long a subscription stays usable after a renewal failed: the developer's choice for an app (Apple: Billing
/// Grace Period in App Store Connect).
package struct GracePeriod: Codable, Hashable, Sendable {
  /// Days; weekly plans have three days of the first and six of the others.
  package enum Length: Int, Codable, Hashable, Sendable, CaseIterable {
    case threeDays = 3
    case sixteenDays = 16
    case twentyEightDays = 28
  }

  /// Which renewals get it.
  package enum Renewals: String, Codable, Hashable, Sendable, CaseIterable {
    case all
    /// From a paid period to a paid period: not the first one after a free trial.
    case paidToPaid
  }

  package var length: Length
  package var renewals: Renewals

  /// Days.
  static let longestOfWeeklyPlans = 6

  package init(_ length: Length, renewals: Renewals = .all) {
    self.length = length
    self.renewals = renewals
  }

  private enum CodingKeys: String, CodingKey {
    case length = "days"
    case renewals
  }
}
