public import Foundation

extension Product {
  /// The length of a range of dates in units of the calendar, such as "one month".
  ///
  /// Apple has `Date.ComponentsFormatStyle` here, which Foundation on Linux cannot make. This one knows what subscription
  /// periods need: years, months, weeks and days, in English, with the numbers in the style's locale.
  public struct PeriodFormatStyle: FormatStyle {
    public typealias FormatInput = Range<Date>
    public typealias FormatOutput = String

    public struct Style: Codable, Hashable, Sendable {
      fileprivate enum Form: String, Codable { case wide, abbreviated, narrow, spellOut }
      fileprivate let form: Form

      public static let wide = Style(form: .wide)
      public static let abbreviated = Style(form: .abbreviated)
      public static let condensedAbbreviated = Style(form: .abbreviated)
      public static let narrow = Style(form: .narrow)
      public static let spellOut = Style(form: .spellOut)
    }

    public var style: Style
    public var locale: Locale
    public var calendar: Calendar

    public init(style: Style, locale: Locale = .autoupdatingCurrent, calendar: Calendar = .autoupdatingCurrent) {
      self.style = style
      self.locale = locale
      self.calendar = calendar
    }

    public func locale(_ locale: Locale) -> PeriodFormatStyle {
      var style = self
      style.locale = locale
      return style
    }

    public func calendar(_ calendar: Calendar) -> PeriodFormatStyle {
      var style = self
      style.calendar = calendar
      return style
    }

    public func format(_ value: Range<Date>) -> String {
      let parts = calendar.dateComponents([.year, .month, .day], from: value.lowerBound, to: value.upperBound)
      let (years, months, days) = (parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
      // Seven days are a week, and a month and eight days are no month and a week.
      let isWeeks = years == 0 && months == 0 && days % 7 == 0
      let amounts = [(years, "year"), (months, "month"), (isWeeks ? days / 7 : 0, "week"), (isWeeks ? 0 : days, "day")]
      let texts = amounts.filter { $0.0 != 0 }.map(text)
      return texts.isEmpty ? text(0, "day") : texts.joined(separator: style.form == .narrow ? " " : ", ")
    }

    private func text(_ count: Int, _ unit: String) -> String {
      switch style.form {
      case .wide: "\(number(count)) \(unit)\(count == 1 ? "" : "s")"
      case .spellOut: "\(spelled(count)) \(unit)\(count == 1 ? "" : "s")"
      case .abbreviated: "\(number(count)) \(abbreviation(unit))\(count == 1 || unit == "month" ? "" : "s")"
      case .narrow: "\(number(count))\(unit.prefix(unit == "month" ? 2 : 1))"
      }
    }

    private func abbreviation(_ unit: String) -> String {
      switch unit {
      case "year": "yr"
      case "month": "mth"
      case "week": "wk"
      default: unit
      }
    }

    private func number(_ count: Int) -> String { count.formatted(.number.locale(locale)) }

    private func spelled(_ count: Int) -> String {
      let formatter = NumberFormatter()
      formatter.locale = locale
      formatter.numberStyle = .spellOut
      return formatter.string(from: NSNumber(value: count)) ?? number(count)
    }
  }
}
