import Fleet
import FleetTesting
import Shared
import Testing
import Wire

/// Many devices, and many processes.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ManyDevicesTests {
  @Test func purchasesReachFiveHundredDevicesInOneProcess() async throws {
    try await expectAgreement(accounts: 10, devicesPerAccount: 50, clients: 1)
  }

  @Test func aPurchaseReachesAHundredProcesses() async throws {
    try await expectAgreement(accounts: 1, devicesPerAccount: 100, clients: 100)
  }

  /// Something is bought on one device of each account, and refunded: all of them believe it, each time.
  private func expectAgreement(accounts: Int, devicesPerAccount: Int, clients: Int) async throws {
    let names = (0..<accounts).map { "account-\($0)" }
    let devices = Dictionary(
      uniqueKeysWithValues: names.map { name in (name, (0..<devicesPerAccount).map { "\(name)-device-\($0)" }) })
    try await withFleet(devices, clients: clients) { fleet in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for name in names {
          group.addTask { try await fleet.device("\(name)-device-0").buy(Product.lifetime) }
        }
        try await group.waitForAll()
      }
      try await fleet.untilAll("may use the purchase") { $0.screen?.entitled == [Product.lifetime] }
      for name in names {
        _ = try await fleet.ask(Refund(productId: Product.lifetime), of: fleet.account(name))
      }
      try await fleet.untilAll("may use it no longer") { $0.screen?.entitled == [] && $0.unfinished.isEmpty }
      try await fleet.settle()
    }
  }
}
