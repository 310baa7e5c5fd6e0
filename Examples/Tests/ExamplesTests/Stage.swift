import FleetTesting
import Foundation

/// What the tests of the examples share: one catalogue, one day to begin at.
enum Stage {
  static let coins = "com.example.app.coins"
  static let lifetime = "com.example.app.lifetime"
  static let season = "com.example.app.season"
  static let monthly = "com.example.app.monthly"
  static let yearly = "com.example.app.yearly"

  static let catalog = URL(filePath: #filePath).appending(path: "../../../../Fixtures/Demo.storekit")
    .standardizedFileURL

  /// Runs `body` with the app on the phones of alice and, when there is one, her family.
  static func play(
    _ app: FleetApp, _ accounts: [String: [String]] = ["alice": ["phone"]], families: [String: [String]] = [:],
    launches: Bool = true, _ body: (Fleet) async throws -> Void
  ) async throws {
    let newYear = Date(timeIntervalSince1970: 1_767_225_600)
    try await Fleet.run(
      accounts, families: families, catalog: .file(catalog.path), clock: .manual(startsAt: newYear), app: app,
      launches: launches, body)
  }

  static func wrong(_ way: String) -> FleetApp { .executable("WrongWays", environment: ["WRONG_WAY": way]) }
  static let photoFilters = FleetApp.executable("PhotoFilters")
  static let studyApp = FleetApp.executable("StudyApp")
  static let proUnlock = FleetApp.executable("ProUnlock")
  static let examPrep = FleetApp.executable("ExamPrep")
}
