/// The App Store's numbers for its storefronts (Apple: storefrontId).
package enum StorefrontID {
  /// The number of a storefront that the table lacks: that of the United States.
  package static let fallback = "143441"

  /// The number of a storefront, as a decimal string.
  /// - Parameter countryCode: ISO 3166-1 alpha-3, such as `USA`.
  package static func of(_ countryCode: String) -> String { table[countryCode] ?? fallback }

  private static let table = [
    "ARE": "143481", "ARG": "143505", "AUS": "143460", "AUT": "143445", "BEL": "143446", "BRA": "143503",
    "CAN": "143455", "CHE": "143459", "CHL": "143483", "CHN": "143465", "COL": "143501", "CZE": "143489",
    "DEU": "143443", "DNK": "143458", "EGY": "143516", "ESP": "143454", "FIN": "143447", "FRA": "143442",
    "GBR": "143444", "GRC": "143448", "HKG": "143463", "HUN": "143482", "IDN": "143476", "IND": "143467",
    "IRL": "143449", "ISR": "143491", "ITA": "143450", "JPN": "143462", "KOR": "143466", "LUX": "143451",
    "MEX": "143468", "MYS": "143473", "NLD": "143452", "NOR": "143457", "NZL": "143461", "PHL": "143474",
    "POL": "143478", "PRT": "143453", "ROU": "143487", "RUS": "143469", "SAU": "143479", "SGP": "143464",
    "SWE": "143456", "THA": "143475", "TUR": "143480", "TWN": "143470", "USA": "143441", "VNM": "143471",
    "ZAF": "143472",
  ]
}
