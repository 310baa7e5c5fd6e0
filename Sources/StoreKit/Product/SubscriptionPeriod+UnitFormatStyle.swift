public import Foundation

extension Product.SubscriptionPeriod.Unit {
  /// The name of a unit, such as "month". In English: Foundation on Linux has no names of units in other languages.
  public struct FormatStyle: Foundation.FormatStyle {
    public typealias FormatInput = Product.SubscriptionPeriod.Unit
    public typealias FormatOutput = String

    private var locale: Locale

    init(locale: Locale) { self.locale = locale }

    public func format(_ value: Product.SubscriptionPeriod.Unit) -> String { value.localizedDescription.lowercased() }

    public func locale(_ locale: Locale) -> FormatStyle {
      var style = self
      style.locale = locale
      return style
    }
  }

  public func formatted<Style: Foundation.FormatStyle>(_ format: Style) -> Style.FormatOutput
  where Style.FormatInput == Product.SubscriptionPeriod.Unit {
    format.format(self)
  }
}
