import Foundation
import Shared

/// A configuration file that was read, and is a catalogue.
struct StoreKitConfiguration: Sendable {
  let text: String
  let settings: SessionSettings

  /// - Throws: `CatalogError` with the mistakes of the file.
  init(contentsOf url: URL) throws {
    guard url.isFileURL, url.pathExtension == "storekit" else {
      throw SKTestError(
        .invalidURL,
        "\(url.absoluteString) is no StoreKit configuration file: expected the URL of a file that ends in .storekit")
    }
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw SKTestError(.fileNotFound, "there is no StoreKit configuration file at \(url.path)")
    }
    let catalog = try Catalog.load(contentsOf: url)
    text = try String(contentsOf: url, encoding: .utf8)
    settings = SessionSettings(catalog.settings)
  }

  private init(text: String, settings: SessionSettings) {
    self.text = text
    self.settings = settings
  }

  /// Sells nothing.
  static let empty = StoreKitConfiguration(text: #"{"version":{"major":3,"minor":0},"products":[]}"#, settings: .init())
}
