/// How fast subscription periods pass on a world's clock (Apple: sandbox renewal rates, SKTestSession.TimeRate).
///
/// The clock itself is not faster: periods are shorter.
package enum TimeRate: String, Codable, Hashable, Sendable, CaseIterable {
  case realTime
  case monthlyRenewalEveryHour
  case monthlyRenewalEveryThirtyMinutes
  case monthlyRenewalEveryFifteenMinutes
  case monthlyRenewalEveryFiveMinutes
  case monthlyRenewalEveryThirtySeconds
}
