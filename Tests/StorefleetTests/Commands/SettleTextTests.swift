import Shared
import Testing
import Wire

@testable import storefleet

struct SettleTextTests {
  private let now = StoreTime(milliseconds: 1_767_225_600_000)

  private func entry(_ device: String, at seen: UInt64, of last: UInt64, online: Bool = true) -> DeviceEntry {
    let account = ActorAddress(world: "main", kind: .account, key: "alice")
    let report = DeviceReport(
      device: device, account: "alice", incarnation: 1, online: online, epoch: 1, sequence: seen, unfinished: [],
      updates: [], screen: nil)
    return DeviceEntry(
      device: device, account: "alice", node: "client-1",
      position: AccountPosition(account: account, epoch: 1, sequence: last), report: report)
  }

  @Test func quietIsSaidOnlyWhereEverybodyWasWaitedFor() {
    #expect(SettleText.done(.init(now: now), hasDevices: true) == "All is quiet. It is 2026-01-01T00:00:00Z.")
    let alone = SettleText.done(.init(now: now), hasDevices: false)
    #expect(!alone.contains("All is quiet") && alone.contains("No client node is connected"))
    let unheard = SettleText.done(.init(now: now, unheard: ["d1", "d2", "d3", "d4", "d5"]), hasDevices: true)
    #expect(!unheard.contains("All is quiet") && unheard.contains("nobody waited for d1, d2, d3 and 2 more"))
  }

  @Test func whoIsWaitedForIsNamed() {
    #expect(SettleText.waiting([entry("d1", at: 7, of: 7), entry("d2", at: 1, of: 7, online: false)]) == nil)
    #expect(
      SettleText.waiting([entry("d1", at: 3, of: 7), entry("d2", at: 7, of: 7)]) == "Waiting for d1 (3 of 7 events).")
  }
}
