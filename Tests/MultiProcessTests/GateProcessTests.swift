import Fleet
import Foundation
import Shared
import Testing
import Wire

/// Gates and bad networks across real processes.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct GateProcessTests {
  @Test func saleWhoseAnswerNeverCameIsOfferedAfterAKillAndSoldOnce() async throws {
    try await withFleet(["alice": ["phone"]]) { fleet in
      _ = try await fleet.ask(HoldGate(gate: .purchaseResult, held: true), of: fleet.device("phone"))
      try await fleet.tapBuy(Product.lifetime, on: "phone", waits: false)
      try await fleet.until("phone", "waits for the answer") {
        $0.faults?.gates == [HeldGate(gate: .purchaseResult, waiting: [Product.lifetime])]
      }
      try await fleet.processes.restartClient(1)
      try await fleet.launch("phone")
      let report = try await fleet.until("phone", "has the purchase") { $0.screen?.entitled == [Product.lifetime] }
      #expect(report.updates.map(\.productId) == [Product.lifetime])
      #expect(try await fleet.purchases(of: "alice").count == 1)
    }
  }

  @Test func everyDeviceIsToldOverTheWorldAndABadNetworkHeals() async throws {
    try await withFleet(["alice": ["phone", "pad"]], clients: 2) { fleet in
      let faults = NetworkFaults(
        latency: .init(from: 0, to: 200), events: .init(drop: 40, duplicate: 20, reorder: 20),
        requests: .init(drop: 20, dropReplies: 20), seed: 11)
      let told = try await fleet.ask(AllDevices(SetNetworkFaults(faults: faults)), of: fleet.world)
      #expect(told == ToldDevices(devices: 2))
      try await fleet.buy(Product.lifetime, for: "alice")
      #expect(try await fleet.tapBuy(Product.coins, on: "phone") == "completed")
      _ = try await fleet.ask(AllDevices(SetNetworkFaults(faults: nil)), of: fleet.world)
      for device in ["phone", "pad"] {
        try await fleet.until(device, "has what was bought") {
          $0.screen?.entitled == [Product.lifetime] && $0.unfinished.isEmpty
        }
      }
      try await fleet.settle()
      #expect(try await fleet.purchases(of: "alice").count == 2)
    }
  }
}
