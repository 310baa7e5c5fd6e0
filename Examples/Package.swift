// swift-tools-version: 6.2
import PackageDescription

// Apps as their makers write them, with Storefleet as a dependency.
let app: [Target.Dependency] = [
  .product(name: "DeviceApp", package: "storefleet"), .product(name: "StoreKit", package: "storefleet"),
]

let package = Package(
  name: "Examples",
  dependencies: [.package(name: "storefleet", path: "..")],
  targets: [
    .executableTarget(name: "PhotoFilters", dependencies: app),
    .executableTarget(name: "StudyApp", dependencies: app),
    .executableTarget(name: "ProUnlock", dependencies: app),
    .executableTarget(name: "ExamPrep", dependencies: app),
    .executableTarget(name: "WrongWays", dependencies: app),
    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "PhotoFilters", "StudyApp", "ProUnlock", "ExamPrep", "WrongWays",
        .product(name: "FleetTesting", package: "storefleet"), .product(name: "storefleet", package: "storefleet"),
        .product(name: "StoreKitTest", package: "storefleet"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
