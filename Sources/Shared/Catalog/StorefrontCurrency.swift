/// The currency of each App Store storefront.
package enum StorefrontCurrency {
  /// The ISO 4217 code for an alpha-3 country code. The App Store sells in US dollars wherever it has no local currency,
  /// so that is the answer for every country that the table lacks.
  package static func code(of storefront: String) -> String { table[storefront] ?? "USD" }

  /// The digits behind the decimal point that prices in this currency have at least.
  package static func fractionDigits(of currency: String) -> Int { withoutFraction.contains(currency) ? 0 : 2 }

  private static let withoutFraction: Set = ["CLP", "COP", "HUF", "IDR", "JPY", "KRW", "KZT", "TWD", "TZS", "VND"]

  private static let table: [String: String] = {
    var table = [
      "ARE": "AED", "AUS": "AUD", "BRA": "BRL", "CAN": "CAD", "CHE": "CHF", "CHL": "CLP", "CHN": "CNY", "COL": "COP",
      "CZE": "CZK", "DNK": "DKK", "EGY": "EGP", "GBR": "GBP", "HKG": "HKD", "HUN": "HUF", "IDN": "IDR", "IND": "INR",
      "ISR": "ILS", "JPN": "JPY", "KAZ": "KZT", "KOR": "KRW", "MEX": "MXN", "MYS": "MYR", "NGA": "NGN", "NOR": "NOK",
      "NZL": "NZD", "PAK": "PKR", "PER": "PEN", "PHL": "PHP", "POL": "PLN", "QAT": "QAR", "ROU": "RON", "RUS": "RUB",
      "SAU": "SAR", "SGP": "SGD", "SWE": "SEK", "THA": "THB", "TUR": "TRY", "TWN": "TWD", "TZA": "TZS", "VNM": "VND",
      "ZAF": "ZAR",
    ]
    for country in [
      "AUT", "BEL", "BGR", "BIH", "CYP", "DEU", "ESP", "EST", "FIN", "FRA", "GRC", "HRV", "IRL", "ITA", "LTU", "LUX",
      "LVA", "MLT", "MNE", "NLD", "PRT", "SRB", "SVK", "SVN", "XKS",
    ] {
      table[country] = "EUR"
    }
    return table
  }()
}
