import Foundation
import PublicMaterial
import Shared
import Testing

/// Configuration files of public repositories, where a copy of them is at hand.
struct PublicCatalogFilesTests {
  private static let files = PublicMaterial.configurations

  @Test(.enabled(if: !files.isEmpty, "\(PublicMaterial.absence)"), arguments: files)
  func publicFileLoads(file: URL) throws {
    let catalog = try Catalog.load(contentsOf: file)
    #expect(CatalogInvariants.broken(catalog) == [])
    #expect(try JSONDecoder().decode(Catalog.self, from: JSONEncoder().encode(catalog)).products == catalog.products)
    // Another reader agrees on how many ids the file has.
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(catalog.products.count == text.matches(of: /"productID"\s*:/).count)
  }
}
