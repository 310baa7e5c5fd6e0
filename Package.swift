// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "storefleet",
  products: [
    .executable(name: "storefleet", targets: ["storefleet"]),
    .library(name: "StoreKit", targets: ["StoreKit"]),
    .library(name: "DeviceApp", targets: ["DeviceApp"]),
    .library(name: "StoreKitTest", targets: ["StoreKitTest"]),
    .library(name: "AppleCore", targets: ["AppleCore"]),
    // Opt-in: a module of one of these names changes `#if canImport` in every package that is built with it.
    .library(name: "Combine", targets: ["Combine"]),
    .library(name: "os", targets: ["os"]),
    .library(name: "OSLog", targets: ["OSLog"]),
    .library(name: "SwiftUI", targets: ["SwiftUI"]),
    .library(name: "FleetTesting", targets: ["FleetTesting"]),
  ],
  targets: [
    // C libraries: a module map and a shim.h each, nothing else.
    .systemLibrary(name: "CZeroMQ", providers: [.apt(["libzmq3-dev"])]),
    .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CLinux"),

    // Arrows point down this list only.
    .target(name: "SQLite", dependencies: ["CSQLite"]),
    .target(name: "Threads", dependencies: ["CLinux"]),
    .target(name: "Launch", dependencies: ["Threads", "CLinux"]),
    .target(name: "HTTPServer", dependencies: ["CMicroHTTPD", "Threads", "CLinux"]),
    .target(name: "HTTPClient", dependencies: ["CCurl"]),
    .target(name: "Shared", dependencies: ["COpenSSL"]),
    .target(name: "Wire", dependencies: ["Shared", "Threads", "CZeroMQ"]),
    .target(name: "ServerNode", dependencies: ["Shared", "Wire", "SQLite"]),
    .target(name: "AppStoreServerAPI", dependencies: ["Shared", "Wire", "HTTPServer", "ServerNode"]),
    .target(name: "ControlAPI", dependencies: ["Shared", "Wire", "HTTPServer"]),
    .target(name: "ClientNode", dependencies: ["Shared", "Wire", "SQLite", "Launch", "CLinux"]),
    .target(name: "AppleCore"),
    .target(name: "StoreKit", dependencies: ["AppleCore", "Shared", "Wire", "ClientNode"]),
    .target(
      name: "DeviceApp",
      dependencies: ["AppleCore", "Shared", "Wire", "ClientNode", "StoreKit", "Launch", "Threads", "CLinux"],
      // See DeviceApp/Process/TimerSystemCall.swift. Not every linker exports it unasked.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic-symbol=timerfd_settime"])]),
    .target(name: "StoreKitTest", dependencies: ["Shared", "Wire", "ServerNode", "ClientNode", "StoreKit"]),
    .target(name: "Combine", dependencies: ["AppleCore"], path: "Sources/AppleShims/Combine"),
    .systemLibrary(name: "CosLog", path: "Sources/AppleShims/CosLog"),
    .target(name: "os", dependencies: ["CosLog"], path: "Sources/AppleShims/os"),
    .target(name: "OSLog", dependencies: ["os"], path: "Sources/AppleShims/OSLog"),
    .target(name: "SwiftUI", dependencies: ["AppleCore"], path: "Sources/AppleShims/SwiftUI"),
    .target(name: "Fleet", dependencies: ["Shared", "Wire", "Launch", "CLinux"]),
    .target(name: "FleetTesting", dependencies: ["Shared", "Wire", "Launch", "Fleet"]),
    .executableTarget(
      name: "storefleet",
      dependencies: [
        "Shared", "Wire", "HTTPServer", "HTTPClient", "ServerNode", "AppStoreServerAPI", "ControlAPI", "ClientNode",
        "StoreKit", "DeviceApp", "Launch", "Fleet", "CLinux",
      ]),
    .executableTarget(
      name: "journal-bench", dependencies: ["ServerNode", "Wire", "SQLite"], path: "Benchmarks/journal-bench"),
    .target(name: "HTTPLoad", dependencies: ["CMicroHTTPD", "CLinux"], path: "Benchmarks/HTTPLoad"),
    .executableTarget(
      name: "http-bench", dependencies: ["HTTPServer", "HTTPClient", "HTTPLoad"], path: "Benchmarks/http-bench"),
    .executableTarget(
      name: "jump-bench", dependencies: ["ServerNode", "Shared", "Wire", "SQLite", "CLinux"],
      path: "Benchmarks/jump-bench"),
    .executableTarget(
      name: "api-bench",
      dependencies: ["AppStoreServerAPI", "HTTPServer", "HTTPLoad", "ServerNode", "Shared", "Wire", "COpenSSL"],
      path: "Benchmarks/api-bench"),
    .executableTarget(name: "empty-program", path: "Benchmarks/empty-program"),
    .executableTarget(name: "listener-app", dependencies: ["DeviceApp", "StoreKit"], path: "Benchmarks/listener-app"),

    // Finds public files that tests use where somebody has them.
    .target(name: "PublicMaterial", path: "Tests/PublicMaterial"),
    .target(name: "TestPrograms", dependencies: ["CLinux"], path: "Tests/TestPrograms"),
    .testTarget(name: "SQLiteTests", dependencies: ["SQLite"]),
    .testTarget(name: "AppleCoreTests", dependencies: ["AppleCore", "os", "SwiftUI"]),
    .testTarget(name: "HTTPServerTests", dependencies: ["HTTPServer", "TestPrograms"]),
    .testTarget(name: "HTTPClientTests", dependencies: ["HTTPClient", "HTTPServer"]),
    .testTarget(name: "SharedTests", dependencies: ["Shared", "PublicMaterial", "TestPrograms"]),
    .testTarget(name: "WireTests", dependencies: ["Wire", "Shared"]),
    .testTarget(name: "ServerNodeTests", dependencies: ["ServerNode", "Wire", "Shared", "SQLite"]),
    .testTarget(
      name: "AppStoreServerAPITests",
      dependencies: ["AppStoreServerAPI", "ServerNode", "HTTPServer", "Wire", "Shared"]),
    .testTarget(
      name: "ControlAPITests", dependencies: ["ControlAPI", "HTTPServer", "ServerNode", "Wire", "Shared"]),
    .testTarget(name: "ClientNodeTests", dependencies: ["ClientNode", "ServerNode", "Wire", "Shared", "SQLite"]),
    .testTarget(
      name: "StoreKitTests",
      dependencies: [
        "StoreKit", "DeviceApp", "ClientNode", "ServerNode", "Wire", "Shared", "PublicMaterial", "TestPrograms",
      ]),
    .testTarget(
      name: "StoreKitTestTests",
      dependencies: ["StoreKitTest", "StoreKit", "ClientNode", "Shared", "PublicMaterial", "TestPrograms"],
      resources: [.copy("Resources/Shop.storekit")]),
    .testTarget(
      name: "BugReportTests", dependencies: ["StoreKit", "DeviceApp", "ClientNode", "ServerNode", "Wire", "Shared"]),
    .testTarget(name: "FleetTests", dependencies: ["Fleet", "Launch", "Wire", "Shared"]),
    .testTarget(
      name: "StorefleetTests",
      dependencies: ["storefleet", "ServerNode", "ClientNode", "HTTPClient", "HTTPServer", "Wire", "Shared"]),
    .executableTarget(
      name: "sample-app", dependencies: ["DeviceApp", "StoreKit"], path: "Tests/MultiProcessTests/SampleApp"),
    .testTarget(
      name: "MultiProcessTests",
      dependencies: [
        "FleetTesting", "Fleet", "HTTPServer", "Launch", "Wire", "Shared", "storefleet", "sample-app", "CLinux",
        "PublicMaterial", "TestPrograms",
      ],
      exclude: ["SampleApp", "ListingApps"]),
  ],
  swiftLanguageModes: [.v6]
)

let systemLibraries: Set<Target.TargetType> = [.system]
for target in package.targets where !systemLibraries.contains(target.type) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
  ]
}
