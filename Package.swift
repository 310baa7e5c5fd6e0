// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "storefleet",
  products: [
    .executable(name: "storefleet", targets: ["storefleet"]),
    .library(name: "StoreKit", targets: ["StoreKit"]),
    .library(name: "DeviceApp", targets: ["DeviceApp"]),
    .library(name: "FleetTesting", targets: ["FleetTesting"]),
  ],
  targets: [
    // C libraries: a module map and a shim.h each, nothing else.
    .systemLibrary(name: "CZeroMQ", providers: [.apt(["libzmq3-dev"])]),
    .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CLinux"),

    // Arrows point down this list only.
    .target(name: "SQLite", dependencies: ["CSQLite"]),
    .target(name: "Launch", dependencies: ["CLinux"]),
    .target(name: "Shared", dependencies: ["COpenSSL"]),
    .target(name: "Wire", dependencies: ["Shared", "CZeroMQ"]),
    .target(name: "ServerNode", dependencies: ["Shared", "Wire", "SQLite"]),
    .target(name: "ClientNode", dependencies: ["Shared", "Wire", "SQLite", "CLinux"]),
    .target(name: "StoreKit", dependencies: ["Shared", "Wire", "ClientNode"]),
    .target(
      name: "DeviceApp", dependencies: ["Shared", "Wire", "ClientNode", "StoreKit", "Launch", "CLinux"],
      // See DeviceApp/Process/TimerSystemCall.swift. Not every linker exports it unasked.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic-symbol=timerfd_settime"])]),
    .target(name: "Fleet", dependencies: ["Shared", "Wire", "Launch", "CLinux"]),
    .target(name: "FleetTesting", dependencies: ["Shared", "Wire", "Launch", "Fleet"]),
    .executableTarget(
      name: "storefleet",
      dependencies: [
        "Shared", "Wire", "ServerNode", "ClientNode", "StoreKit", "DeviceApp", "Launch", "Fleet", "CLinux",
      ]),
    .executableTarget(
      name: "journal-bench", dependencies: ["ServerNode", "Wire", "SQLite"], path: "Benchmarks/journal-bench"),
    .executableTarget(name: "empty-program", path: "Benchmarks/empty-program"),

    .testTarget(name: "SQLiteTests", dependencies: ["SQLite"]),
    .testTarget(name: "SharedTests", dependencies: ["Shared"]),
    .testTarget(name: "WireTests", dependencies: ["Wire", "Shared"]),
    .testTarget(name: "ServerNodeTests", dependencies: ["ServerNode", "Wire", "Shared", "SQLite"]),
    .testTarget(name: "ClientNodeTests", dependencies: ["ClientNode", "ServerNode", "Wire", "Shared", "SQLite"]),
    .testTarget(
      name: "StoreKitTests",
      dependencies: ["StoreKit", "DeviceApp", "ClientNode", "ServerNode", "Wire", "Shared"]),
    .testTarget(
      name: "BugReportTests", dependencies: ["StoreKit", "DeviceApp", "ClientNode", "ServerNode", "Wire", "Shared"]),
    .testTarget(name: "FleetTests", dependencies: ["Fleet", "Launch", "Wire", "Shared"]),
    .testTarget(name: "StorefleetTests", dependencies: ["storefleet", "ServerNode", "ClientNode", "Wire", "Shared"]),
    .executableTarget(
      name: "sample-app", dependencies: ["DeviceApp", "StoreKit"], path: "Tests/MultiProcessTests/SampleApp"),
    .testTarget(
      name: "MultiProcessTests",
      dependencies: ["FleetTesting", "Fleet", "Launch", "Wire", "Shared", "storefleet", "sample-app", "CLinux"],
      exclude: ["SampleApp"]),
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
