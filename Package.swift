// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "storefleet",
  products: [
    .executable(name: "storefleet", targets: ["storefleet"]),
    .library(name: "StoreKit", targets: ["StoreKit"]),
    .library(name: "DeviceApp", targets: ["DeviceApp"]),
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
    .target(name: "HTTPServer", dependencies: ["CMicroHTTPD", "CLinux"]),
    .target(name: "HTTPClient", dependencies: ["CCurl"]),
    .target(name: "Shared", dependencies: ["COpenSSL"]),
    .target(name: "Wire", dependencies: ["Shared", "CZeroMQ"]),
    .target(name: "ServerNode", dependencies: ["Shared", "Wire", "SQLite"]),
    .target(name: "ClientNode", dependencies: ["Shared", "Wire", "SQLite"]),
    .target(name: "StoreKit", dependencies: ["Shared", "Wire", "ClientNode"]),
    .target(name: "DeviceApp", dependencies: ["Shared", "Wire", "ClientNode", "StoreKit"]),
    .target(name: "Fleet", dependencies: ["Shared", "Wire", "CLinux"]),
    .executableTarget(
      name: "storefleet",
      dependencies: [
        "Shared", "Wire", "ServerNode", "ClientNode", "StoreKit", "DeviceApp", "Fleet", "HTTPClient", "CLinux",
      ]),
    .executableTarget(
      name: "journal-bench", dependencies: ["ServerNode", "Wire", "SQLite"], path: "Benchmarks/journal-bench"),
    .executableTarget(
      name: "http-bench", dependencies: ["HTTPServer", "HTTPClient", "CMicroHTTPD", "CLinux"],
      path: "Benchmarks/http-bench"),
    .executableTarget(
      name: "jump-bench", dependencies: ["ServerNode", "Shared", "Wire", "SQLite", "CLinux"],
      path: "Benchmarks/jump-bench"),

    .testTarget(name: "SQLiteTests", dependencies: ["SQLite"]),
    .testTarget(name: "HTTPServerTests", dependencies: ["HTTPServer"]),
    .testTarget(name: "HTTPClientTests", dependencies: ["HTTPClient", "HTTPServer"]),
    .testTarget(name: "SharedTests", dependencies: ["Shared"]),
    .testTarget(name: "WireTests", dependencies: ["Wire", "Shared"]),
    .testTarget(name: "ServerNodeTests", dependencies: ["ServerNode", "Wire", "Shared", "SQLite"]),
    .testTarget(name: "ClientNodeTests", dependencies: ["ClientNode", "ServerNode", "Wire", "Shared", "SQLite"]),
    .testTarget(
      name: "StoreKitTests",
      dependencies: ["StoreKit", "DeviceApp", "ClientNode", "ServerNode", "Wire", "Shared"]),
    .testTarget(
      name: "BugReportTests", dependencies: ["StoreKit", "DeviceApp", "ClientNode", "ServerNode", "Wire", "Shared"]),
    .testTarget(name: "FleetTests", dependencies: ["Fleet", "Wire", "Shared"]),
    .testTarget(name: "StorefleetTests",
      dependencies: ["storefleet", "ServerNode", "ClientNode", "HTTPClient", "HTTPServer", "Wire", "Shared"]),
    .testTarget(name: "MultiProcessTests", dependencies: ["Fleet", "HTTPServer", "Wire", "Shared", "storefleet", "CLinux"]),
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
