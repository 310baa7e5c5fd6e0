public import Foundation
import Shared

extension Product {
  /// A length of time such as one month.
  public struct SubscriptionPeriod: Hashable, Sendable {
    @nonexhaustive public enum Unit: Hashable, Sendable, Comparable {
      case day
      case week
      case month
      case year
    }

    public let unit: Unit
    public let value: Int

    public static let weekly = SubscriptionPeriod(unit: .week, value: 1)
    public static let monthly = SubscriptionPeriod(unit: .month, value: 1)
    public static let yearly = SubscriptionPeriod(unit: .year, value: 1)
    public static let everyThreeDays = SubscriptionPeriod(unit: .day, value: 3)
    public static let everyTwoWeeks = SubscriptionPeriod(unit: .week, value: 2)
    public static let everyTwoMonths = SubscriptionPeriod(unit: .month, value: 2)
    public static let everyThreeMonths = SubscriptionPeriod(unit: .month, value: 3)
    public static let everySixMonths = SubscriptionPeriod(unit: .month, value: 6)

    /// From `referenceDate` to one period later, by the Gregorian calendar.
    public func dateRange(referenceDate: Date = .now) -> Range<Date> {
      let end = Calendar(identifier: .gregorian).date(byAdding: unit.component, value: value, to: referenceDate)
      return referenceDate..<max(end ?? referenceDate, referenceDate)
    }

    public func formatted<Style: FormatStyle>(_ format: Style, referenceDate: Date = .now) -> Style.FormatOutput
    where Style.FormatInput == Range<Date> {
      format.format(dateRange(referenceDate: referenceDate))
    }

    public func formatted<Style: FormatStyle>(_ format: Style, referenceDate: Date = .now) -> Style.FormatOutput
    where Style.FormatInput == Duration {
      let range = dateRange(referenceDate: referenceDate)
      return format.format(.seconds(range.upperBound.timeIntervalSince(range.lowerBound)))
    }

    init(unit: Unit, value: Int) {
      self.unit = unit
      self.value = value
    }

    init(_ period: Shared.SubscriptionPeriod) {
      self.init(unit: Unit(period.unit), value: period.value)
    }

    /// Such as `P1M`; nil for any other text.
    init?(iso8601 text: String) {
      guard let period = Shared.SubscriptionPeriod(text) else { return nil }
      self.init(period)
    }
  }
}

extension Product.SubscriptionPeriod: CustomDebugStringConvertible {
  public var debugDescription: String { "\(value) \(unit.localizedDescription)" }
}

extension Product.SubscriptionPeriod.Unit: CustomDebugStringConvertible {
  public var debugDescription: String { localizedDescription }
}

extension Product.SubscriptionPeriod.Unit {
  public var localizedDescription: String {
    switch self {
    case .day: "Day"
    case .week: "Week"
    case .month: "Month"
    case .year: "Year"
    }
  }

  var component: Calendar.Component {
    switch self {
    case .day: .day
    case .week: .weekOfYear
    case .month: .month
    case .year: .year
    }
  }

  init(_ unit: Shared.SubscriptionPeriod.Unit) {
    self =
      switch unit {
      case .day: .day
      case .week: .week
      case .month: .month
      case .year: .year
      }
  }
}

extension DateComponents {
  public init(subscriptionPeriod: Product.SubscriptionPeriod) {
    self.init()
    setValue(subscriptionPeriod.value, for: subscriptionPeriod.unit.component)
  }
}
