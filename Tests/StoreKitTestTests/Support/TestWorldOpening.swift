@testable import StoreKitTest

/// A store as the trait makes it, certificates included.
enum TestWorldOpening {
  static func open() throws -> TestWorld {
    try TestWorld(try StoreKitConfiguration(contentsOf: try ConfigurationSearch(name: "Shop").find()))
  }
}
