import Foundation
import PublicMaterial
import TestPrograms
import Testing

/// The test that a published article shows, compiled in Swift 5 mode and run as it stands, where a copy is at hand.
@Suite struct ArticleListingTests {
  private static let manager = PublicMaterial.listing("000-1-PurchaseManager")
  private static let test = PublicMaterial.listing("000-5-PurchaseManagerTests")

  /// Where this package was built; nil when the tests run elsewhere.
  private static let build: URL? = {
    let candidates = CommandLine.arguments + ["/proc/self/exe"]
    return candidates.lazy.map { URL(filePath: $0).resolvingSymlinksInPath().deletingLastPathComponent() }
      .first { FileManager.default.fileExists(atPath: $0.appending(path: "Modules/StoreKitTest.swiftmodule").path) }
  }()

  private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let sources = package.appending(path: "Sources")

  @Test(.enabled(if: build != nil && test != nil, "\(PublicMaterial.absence)"), .timeLimit(.minutes(10)))
  func articlesOwnTestPasses() throws {
    let build = try #require(Self.build)
    let folder = FileManager.default.temporaryDirectory.appending(path: "article-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ name: String, _ text: String) throws -> String {
      let file = folder.appending(path: name)
      try Data(text.utf8).write(to: file)
      return file.path
    }
    let shop = try write("Shop.storekit", Self.shop)
    let modules = ["CZeroMQ", "COpenSSL", "CSQLite", "CLinux", "AppleShims/CosLog"].flatMap {
      ["-I", Self.sources.appending(path: $0).path]
    }
    let common = ["-swift-version", "5", "-suppress-warnings", "-I", build.appending(path: "Modules").path] + modules
    let app = folder.appending(path: "YourApp")
    try run(
      ["swiftc"] + common + [
        "-module-name", "YourApp", "-parse-as-library", "-enable-testing", "-wmo", "-c", "-emit-module",
        "-emit-module-path", app.path + ".swiftmodule", "-o", app.path + ".o",
        try #require(Self.manager).path,
      ])
    // The article has a session that is shared, which Apple's class has not.
    let test = try String(contentsOf: #require(Self.test), encoding: .utf8)
    let files = [
      try write("PurchaseManagerTests.swift", "import StoreKitTest\n" + test),
      try write("Shared.swift", Self.sharedSession(on: shop)), try write("main.swift", Self.main),
    ]
    let program = folder.appending(path: "tests").path
    let objects = try [
      "Shared", "Threads", "Wire", "SQLite", "ServerNode", "Launch", "ClientNode", "AppleCore", "StoreKit",
      "StoreKitTest",
    ]
    .flatMap { try Self.objects(of: $0, in: build) }
    try run(
      ["swiftc"] + common + ["-module-name", "Listing", "-I", folder.path] + files + [app.path + ".o"] + objects + [
        "-lzmq", "-lcrypto", "-lsqlite3", "-o", program,
      ])
    let output = try run([program])
    #expect(output.contains("Executed 2 tests, with 0 failures"))
  }

  private static func objects(of target: String, in build: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      at: build.appending(path: "\(target).build"), includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "o" }.map(\.path)
  }

  @discardableResult
  private func run(_ command: [String]) throws -> String {
    let result = try Program.run(command)
    #expect(result.status == 0, "\(command[0]): \(result.output.suffix(4_000))")
    return result.output
  }

  private static func sharedSession(on file: String) -> String {
    """
    import Foundation
    import StoreKitTest
    extension SKTestSession {
      static let shared = try! SKTestSession(contentsOf: URL(fileURLWithPath: "\(file)"))
    }
    """
  }

  private static let main = """
    import StoreKitTest
    import XCTest
    _ = SKTestSession.shared
    XCTMain([
      testCase([
        ("testLoadProductsReturnsProducts", asyncTest(PurchaseManagerTests.testLoadProductsReturnsProducts)),
        (
          "testPurchaseMonthlySubscriptionSucceeds",
          asyncTest(PurchaseManagerTests.testPurchaseMonthlySubscriptionSucceeds)
        ),
      ])
    ])
    """

  private static let shop = #"""
    {
      "identifier": "A0", "version": {"major": 4, "minor": 0}, "settings": {},
      "products": [
        {"type": "NonConsumable", "productID": "com.yourcompany.appname.premium_filter", "internalID": "1",
         "displayPrice": "2.99", "referenceName": "Filter", "familyShareable": false, "localizations": []}
      ],
      "subscriptionGroups": [
        {"id": "G", "name": "Pro", "localizations": [], "subscriptions": [
          {"type": "RecurringSubscription", "productID": "com.yourcompany.appname.pro_monthly", "internalID": "2",
           "displayPrice": "4.99", "referenceName": "Monthly", "familyShareable": false, "groupNumber": 1,
           "subscriptionGroupID": "G", "recurringSubscriptionPeriod": "P1M", "localizations": []},
          {"type": "RecurringSubscription", "productID": "com.yourcompany.appname.pro_yearly", "internalID": "3",
           "displayPrice": "39.99", "referenceName": "Yearly", "familyShareable": false, "groupNumber": 1,
           "subscriptionGroupID": "G", "recurringSubscriptionPeriod": "P1Y", "localizations": []}
        ]}
      ]
    }
    """#
}
