import AppleCore
import Foundation
import Testing

/// Texts as newer code has them, which Foundation on Linux does not know.
@Suite struct LocalizedTextTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "texts-\(UUID())")

  private func bundle(_ table: String) throws -> Bundle {
    let texts = folder.appending(path: "Resources")
    try FileManager.default.createDirectory(at: texts, withIntermediateDirectories: true)
    try Data(table.utf8).write(to: texts.appending(path: "Localizable.strings"))
    return try #require(Bundle(url: folder))
  }

  @Test func textWithoutTranslationStaysAsItIs() {
    let count = 3
    #expect(String(localized: "Waiting for approval") == "Waiting for approval")
    #expect(String(localized: "\(count) of 100% in \("May")", comment: "for translators") == "3 of 100% in May")
    #expect(String(localized: "trial.days", defaultValue: "\(count) days free") == "3 days free")
    #expect(String(localized: "\(2.5, specifier: "%.2f") a month") == "2.50 a month")
    #expect(String(localized: "\(Decimal(4), format: .number.precision(.fractionLength(2)))").hasPrefix("4"))
    let resource: LocalizedStringResource = "Restore \("everything")"
    #expect(String(localized: resource) == "Restore everything")
  }

  @Test func translationTakesTheValuesWhereItWantsThem() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let bundle = try bundle(
      #"""
      "%lld days for %@" = "%2$@: %1$lld Tage";
      "%@ left" = "noch %@ (100%%)";
      "title" = "Titel";
      """#)
    #expect(String(localized: "\(7) days for \("Pro")", bundle: bundle) == "Pro: 7 Tage")
    #expect(String(localized: "\("1 h") left", bundle: bundle) == "noch 1 h (100%)")
    #expect(String(localized: "title", defaultValue: "Title", bundle: bundle) == "Titel")
    #expect(String(localized: LocalizedStringResource("title", bundle: .atURL(folder))) == "Titel")
  }
}
