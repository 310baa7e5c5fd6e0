import Shared

extension SKTestSession {
  /// How fast subscription periods pass. The clock itself is not faster: periods are shorter.
  ///
  /// Apple: https://developer.apple.com/documentation/storekittest/sktestsession/timerate-swift.enum
  public enum TimeRate: Int, Hashable, Sendable, CaseIterable {
    case realTime = 0
    // Apple has deprecated the rates by days.
    case oneHourIsOneDay = 1
    case thirtyMinutesIsOneDay = 2
    case fifteenMinutesIsOneDay = 3
    case fiveMinutesIsOneDay = 4
    case oneMinuteIsOneDay = 5
    case oneSecondIsOneDay = 6
    case monthlyRenewalEveryHour = 10
    case monthlyRenewalEveryThirtyMinutes = 11
    case monthlyRenewalEveryFifteenMinutes = 12
    case monthlyRenewalEveryFiveMinutes = 13
    case monthlyRenewalEveryThirtySeconds = 15
    case oneRenewalEveryFifteenMinutes = 1_000
    case oneRenewalEveryFiveMinutes = 1_001
    case oneRenewalEveryMinute = 1_002
    case oneRenewalEveryThirtySeconds = 1_003
    case oneRenewalEveryTenSeconds = 1_004
    case oneRenewalEveryTwoSeconds = 1_005

    /// The store's names are the same.
    var rate: Shared.TimeRate { Shared.TimeRate(rawValue: "\(self)") ?? .realTime }
  }
}
