import Foundation
import Shared
import Testing

@testable import storefleet

struct CatalogCheckTests {
  private let demo = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/Demo.storekit").path

  /// Runs `body` with a file of this content, which is gone afterwards.
  private func withFile(_ content: String, _ body: (String) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).storekit")
    try Data(content.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file.path)
  }

  @Test func goodFileIsATableAndASummary() {
    let report = CatalogCheck.report([demo])
    #expect(report.isGood)
    #expect(report.errors == "")
    let lines = report.output.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.contains("com.example.app.coins") && $0.contains("Consumable  ") })
    let yearly = lines.first { $0.contains("com.example.app.yearly") }
    #expect(
      yearly?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        == "Premium 1 com.example.app.yearly Auto-Renewable Subscription 39.99 USD 1 year yes "
        + "introductory: 1 week free")
    #expect(lines.contains { $0.hasSuffix("  promotional spring: 3 × 1 month at 2.99") })
    #expect(lines.contains { $0.hasSuffix("  code workshop: 1 year for 19.99 up front") })
    #expect(lines.contains { $0.hasSuffix("  win-back comeback: 1 month free") })
    #expect(lines.last == "7 products, 2 subscription groups, 5 offers, 0 warnings; format 4.0, storefront USA.")
  }

  @Test func pricesShowTheCurrencyOfTheStorefront() throws {
    let content =
      #"{ version: {}, products: [{ productID: "p", type: "Consumable", displayPrice: "1500" }], "#
      + #"settings: { _storefront: "KOR" } }"#
    try withFile(content) { file in
      #expect(CatalogCheck.report([file]).output.contains("p        Consumable  1500 KRW          no\n"))
    }
  }

  @Test func badFileIsNamedOnStandardErrorAndTheOthersAreStillChecked() throws {
    try withFile("{ products: [{ productID: 'p' }] }") { bad in
      let report = CatalogCheck.report([bad, demo])
      #expect(report.isGood == false)
      #expect(report.errors.split(separator: "\n").count == 2)
      #expect(report.errors.hasPrefix("\(bad): line 1, column 14, products[0].type: found nothing, expected "))
      #expect(report.output.contains("\(demo)\n\nGroup"))
      #expect(report.output.contains("7 products"))
    }
  }

  @Test func severalFilesEachStandUnderTheirName() {
    let report = CatalogCheck.report([demo, demo])
    #expect(report.output.components(separatedBy: "\(demo)\n\nGroup").count == 3)
  }

  @Test func warningsGoToStandardErrorAndTheFileIsGood() throws {
    try withFile("{ products: [] }") { file in
      let report = CatalogCheck.report([file])
      #expect(report.isGood)
      #expect(
        report.errors == """
          \(file): warning: version: is missing; the file is read as version 1.0.
          \(file): warning: products: the file has no products.

          """)
      #expect(
        report.output.hasSuffix(
          "0 products, 0 subscription groups, 0 offers, 2 warnings; "
            + "format 1.0, storefront USA.\n"))
    }
  }

  @Test func jsonIsTheCatalogue() throws {
    let report = CatalogCheck.report([demo], asJSON: true)
    #expect(report.isGood)
    let catalog = try JSONDecoder().decode(Catalog.self, from: Data(report.output.utf8))
    #expect(catalog == (try Catalog.load(contentsOf: URL(filePath: demo))))
  }
}
