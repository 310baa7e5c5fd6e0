import Foundation
import Shared
import Testing

/// Configuration files of public repositories, where a copy of them is at hand.
struct PublicCatalogFilesTests {
  private static let files: [URL] = {
    let shared =
      ProcessInfo.processInfo.environment["STOREFLEET_SHARED"].map { URL(filePath: $0) }
      ?? CatalogFixtures.packageRoot.appending(path: "../shared")
    let folder = shared.appending(path: "storekit-files").standardizedFileURL
    let content = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return content.filter { $0.pathExtension == "storekit" }.sorted { $0.path < $1.path }
  }()

  @Test(.enabled(if: !files.isEmpty, "no folder with public files"), arguments: files)
  func publicFileLoads(file: URL) throws {
    let catalog = try Catalog.load(contentsOf: file)
    #expect(CatalogInvariants.broken(catalog) == [])
    #expect(try JSONDecoder().decode(Catalog.self, from: JSONEncoder().encode(catalog)).products == catalog.products)
    // Another reader agrees on how many ids the file has.
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(catalog.products.count == text.matches(of: /"productID"\s*:/).count)
  }
}
