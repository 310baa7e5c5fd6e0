import Fleet
import FleetTesting
import Foundation
import Shared
import Testing
import Wire

/// Gates and bad networks across real processes.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct GateProcessTests {
  @Test func saleWhoseAnswerNeverCameIsOfferedAfterAKillAndSoldOnce() async throws {
    try await withFleet(["alice": ["phone"]]) { fleet in
      let phone = fleet.device("phone")
      try await phone.hold(.purchaseResult)
      try await phone.startBuying(Product.lifetime)
      try await phone.expect("waits for the answer") { $0.waiting == [.purchaseResult: [Product.lifetime]] }
      try await fleet.processes.restartClient(1)
      try await phone.launch()
      let look = try await phone.expect("has the purchase") { $0.unlocked == [Product.lifetime] }
      #expect(look.updates.map(\.productID) == [Product.lifetime])
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
      try await fleet.account("alice").buy(Product.lifetime)
      #expect(try await fleet.device("phone").buy(Product.coins) == .completed)
      _ = try await fleet.ask(AllDevices(SetNetworkFaults(faults: nil)), of: fleet.world)
      for device in ["phone", "pad"] {
        try await fleet.device(device).expect("has what was bought") {
          $0.unlocked == [Product.lifetime] && $0.unfinished.isEmpty
        }
      }
      try await fleet.settle()
      #expect(try await fleet.purchases(of: "alice").count == 2)
    }
  }
}
