import Fleet
import FleetTesting
import Foundation
import Shared
import Wire

/// Products of the demo's catalogue.
enum Product {
  static let coins = "com.example.app.coins"
  static let lifetime = "com.example.app.lifetime"
  static let seasonPass = "com.example.app.season"
  static let monthly = "com.example.app.monthly"
  static let yearly = "com.example.app.yearly"
}

/// Files that the tests share with people who try the project.
enum Repository {
  static func path(_ name: String) -> String {
    URL(filePath: #filePath).appending(path: "../../../../\(name)").standardizedFileURL.path
  }
}

/// `Fleet.run` with the demo's catalogue.
///
/// - Parameters:
///   - devices: The devices' names of each account. They are spread over the client processes in order of their names.
///   - configure: Changes what else is particular.
///   - prepare: Runs before the server starts, with the run folder there.
func withFleet<Result>(
  _ devices: [String: [String]] = [:], clients: Int = 1, executable: String = Tool.executable,
  workplace: FleetWorkplace? = nil, prepare: @escaping @Sendable (ProcessFleet) throws -> Void = { _ in },
  configure: (inout FleetSetup) -> Void = { _ in },
  _ body: (FleetTesting.Fleet) async throws -> Result
) async throws -> Result {
  var setup = FleetSetup(
    accounts: devices, catalog: .file(Repository.path("Fixtures/Demo.storekit")), patience: patience)
  setup.clients = clients
  setup.executable = executable
  setup.workplace = workplace
  setup.prepare = prepare
  configure(&setup)
  return try await FleetTesting.Fleet.run(setup, body)
}

extension FleetTesting.Fleet {
  /// The transactions that the account's journal says were bought, in order, repeated ones too.
  func purchases(of account: String) async throws -> [UInt64] {
    struct Body: Decodable {
      struct Record: Decodable { var transactionId: TransactionID }
      var records: [Record]
    }
    return try await journal(of: account).filter { $0.name == "purchased" }.flatMap {
      try JSONDecoder().decode(Body.self, from: Data($0.body.utf8)).records.map(\.transactionId.rawValue)
    }
  }
}
