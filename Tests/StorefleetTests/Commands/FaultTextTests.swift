import Testing
import Wire

@testable import storefleet

/// What tests have done to a device, in words.
struct FaultTextTests {
  @Test func everythingThatIsDoneToADeviceHasALine() {
    let faults = DeviceFaults(
      gates: [HeldGate(gate: .purchase, waiting: ["coins", "pro"]), HeldGate(gate: .restore, waiting: [])],
      errors: [
        SetSimulatedError(api: .purchase, failure: .purchase(.invalidQuantity), times: 2),
        SetSimulatedError(api: .appStoreSync, failure: .offline),
      ],
      network: NetworkFaults(latency: .init(from: 1, to: 2)), purchasesAllowed: false, interruptsPurchases: true)
    #expect(
      FaultText.lines(faults) == [
        "held: purchase, where coins, pro waits", "held: restore", "fails: purchase with invalidQuantity, 2 times more",
        "fails: appStoreSync with networkError", "network: 1 to 2 ms late", "purchases are not allowed",
        "purchases are interrupted",
      ])
    #expect(FaultText.lines(.none).isEmpty)
  }

  @Test func networkSaysWhatIsBadAboutIt() {
    #expect(FaultText.text(NetworkFaults()) == "good")
    #expect(FaultText.text(NetworkFaults(latency: .init(from: 300, to: 300))) == "300 ms late")
    #expect(
      FaultText.text(
        NetworkFaults(
          events: .init(drop: 20, reorder: 5, next: 3), requests: .init(dropReplies: 10), blocked: .requests))
        == "events drop 20 %, reorder 5 % (the next 3); requests drop replies 10 %; no requests")
  }
}
