import Foundation
import Shared
import Testing

@testable import StoreKitTest

/// Where configuration files are found, and what is said of those that cannot be used.
@Suite struct ConfigurationTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "configuration-\(UUID())")

  private func write(_ text: String, to path: String) throws -> URL {
    let file = folder.appending(path: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file
  }

  private func search(_ name: String) -> ConfigurationSearch {
    var search = ConfigurationSearch(name: name)
    search.currentFolder = folder.appending(path: "here")
    search.executable = folder.appending(path: "build/debug/Tests.xctest")
    search.bundles = []
    return search
  }

  @Test(arguments: [
    "build/debug/App_AppTests.resources/Shop.storekit", "here/Shop.storekit", "Tests/AppTests/Shop.storekit",
  ])
  func fileIsFoundByItsName(path: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try write("", to: "Package.swift")
    _ = try write("", to: "here/other")
    let file = try write("{}", to: path)
    for name in ["Shop", "Shop.storekit"] {
      #expect(try search(name).find().standardizedFileURL.path == file.standardizedFileURL.path)
    }
  }

  @Test func resourcesComeBeforeTheRestOfThePackage() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try write("", to: "Package.swift")
    _ = try write("{}", to: "Shop.storekit")
    let file = try write("{}", to: "build/debug/App_AppTests.resources/Shop.storekit")
    #expect(try search("Shop").find().path == file.path)
  }

  @Test(arguments: [
    "build/debug/App_Two.resources/Shop.storekit", "Tests/Two/Shop.storekit", "Tests/Two/Support/Shop.storekit",
  ])
  func eachTargetMeansItsOwnFile(path: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try write("", to: "Package.swift")
    _ = try write("{}", to: "build/debug/App_One.resources/Shop.storekit")
    _ = try write("{}", to: "Tests/One/Shop.storekit")
    _ = try write("{}", to: "here/Shop.storekit")
    let file = try write("{}", to: path)
    var search = search("Shop")
    search.caller = SourcePlace(
      fileID: "Two/ShopTests.swift", filePath: folder.appending(path: "Tests/Two/Support/ShopTests.swift").path)
    #expect(try search.find().standardizedFileURL.path == file.standardizedFileURL.path)
  }

  /// As suites for Xcode find their file.
  @Test func bundleOfATestClassHasTheConfigurationFile() throws {
    final class Anchor: NSObject {}
    let bundle = Bundle(for: Anchor.self)
    let url = try #require(bundle.url(forResource: "Shop", withExtension: "storekit"))
    #expect(try SKTestSession(contentsOf: url).allTransactions() as [SKTestTransaction]? != nil)
    #expect(bundle.path(forResource: "Shop", ofType: "storekit") == url.path)
    #expect(bundle.url(forResource: "NoSuchShop", withExtension: "storekit") == nil)
    #expect(bundle.url(forResource: "Shop", withExtension: "json") == nil)
  }

  @Test func missingFileSaysWhereItWasLookedFor() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try write("", to: "Package.swift")
    _ = try write("", to: "build/debug/App_AppTests.resources/other")
    let error = #expect(throws: SKTestError.self) { try search("Missing").find() }
    #expect(error?.code == .fileNotFound)
    let text = try #require(error?.description)
    for place in ["Missing.storekit", "App_AppTests.resources", "here", folder.path] { #expect(text.contains(place)) }
  }

  @Test func missingFileNamesEachPlaceOnce() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try write("", to: "Package.swift")
    _ = try write("", to: "build/debug/App_AppTests.resources/other")
    var search = search("Missing")
    search.currentFolder = folder
    search.caller = SourcePlace(
      fileID: "AppTests/ShopTests.swift", filePath: folder.appending(path: "Tests/AppTests/ShopTests.swift").path)
    let error = #expect(throws: SKTestError.self) { try search.find() }
    let text = try #require(error?.description)
    let list = try #require(
      text.components(separatedBy: ": looked in ").last?.components(separatedBy: ". Put it").first)
    let places = list.components(separatedBy: ", ")
    #expect(places.contains { $0.hasSuffix("App_AppTests.resources") } && places.count > 2)
    #expect(Set(places).count == places.count, "\(list)")
  }

  @Test func errorsAreCaughtByTheirCodes() {
    do {
      _ = try SKTestSession(configurationFileNamed: "NoSuchShop")
      Issue.record("there is no such file")
    } catch SKTestError.fileNotFound {
      // As Apple's importer lets it be caught.
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func onlyFilesOfTheKindAreOpened() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let web = try #require(URL(string: "https://example.com/Shop.storekit"))
    #expect(throws: SKTestError(.invalidURL).code) { try code { _ = try StoreKitConfiguration(contentsOf: web) } }
    let text = try write("{}", to: "Shop.json")
    #expect(throws: SKTestError(.invalidURL).code) { try code { _ = try StoreKitConfiguration(contentsOf: text) } }
    let missing = folder.appending(path: "No.storekit")
    #expect(throws: SKTestError(.fileNotFound).code) { try code { _ = try StoreKitConfiguration(contentsOf: missing) } }
  }

  private func code(_ body: () throws -> Void) throws {
    do { try body() } catch let error as SKTestError { throw error.code }
  }

  @Test func mistakesOfAFileAreTheCataloguesOwn() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = try write(#"{"products": [{"productID": 7}]}"#, to: "Shop.storekit")
    let error = #expect(throws: CatalogError.self) { _ = try StoreKitConfiguration(contentsOf: file) }
    #expect(error?.description.contains("productID") == true)
  }
}
