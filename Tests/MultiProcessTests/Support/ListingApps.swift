import Foundation
import PublicMaterial
import Testing
import TestPrograms

/// Apps made of published listings, which are not part of the package: the files as they stand, in Swift 5 mode,
/// and a few lines of ours that are the screen and the buttons.
enum ListingApps {
  /// Whether there are listings, and modules to compile them with.
  static let canBuild = !PublicMaterial.listings.isEmpty && FileManager.default.fileExists(atPath: modulesFolder)

  private static let products = (Tool.executable as NSString).deletingLastPathComponent
  private static let modulesFolder = products + "/Modules"

  /// The listings of each app.
  static let listings = [
    "PurchaseManagerApp": ["000-1-PurchaseManager", "000-2-SubscriptionStatus", "000-4-PurchasePhase"],
    "CachedManagerApp": ["000-3-CachedPurchaseManager"],
    "StoreManagerApp": ["001-1-StoreManager", "001-2-DateProvider"],
    "PurchaseStoreApp": ["002-1-PurchaseStore"],
    "SubscriptionStoreApp": [
      "004-1-SubscriptionStore", "004-2-EntitlementInfo", "004-3-IntroOffer", "004-4-RestoreCoordinator",
    ],
  ]

  /// What a device app is linked with.
  private static let modules = [
    "AppleCore", "ClientNode", "DeviceApp", "Launch", "SQLite", "Shared", "StoreKit", "SwiftUI", "Threads", "Wire",
  ]

  struct BuildFailure: Error, CustomStringConvertible {
    var description: String
  }

  /// Compiles and links an app against what the package's build has made, which takes seconds where a package of its own
  /// would take minutes.
  ///
  /// - Returns: the executable's path, in `folder`.
  static func build(_ app: String, in folder: String) throws -> String {
    let sources = try #require(Self.listings[app]).map { try #require(PublicMaterial.listing($0)).path }
    let executable = "\(folder)/\(app)"
    var arguments = ["swiftc", "-swift-version", "5", "-suppress-warnings", "-parse-as-library", "-module-name", app]
    arguments += ["-I", modulesFolder]
    // The modules of C libraries, which the package's own import.
    for module in ["CZeroMQ", "COpenSSL", "CSQLite", "CLinux", "AppleShims/CosLog"] {
      arguments += ["-I", Repository.path("Sources/\(module)")]
    }
    arguments += sources + [Repository.path("Tests/MultiProcessTests/ListingApps/\(app).swift")]
    for module in modules {
      let build = "\(products)/\(module).build"
      arguments += try FileManager.default.contentsOfDirectory(atPath: build)
        .filter { $0.hasSuffix(".swift.o") }.map { "\(build)/\($0)" }
    }
    arguments += ["-Xlinker", "--export-dynamic-symbol=timerfd_settime", "-o", executable]
    try run(arguments)
    return executable
  }

  private static func run(_ arguments: [String]) throws {
    let result = try Program.run(arguments)
    guard result.status == 0 else { throw BuildFailure(description: result.output) }
  }
}
