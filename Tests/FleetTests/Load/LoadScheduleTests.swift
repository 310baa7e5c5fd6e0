import Shared
import Testing

@Suite struct LoadScheduleTests {
  private func schedule(_ client: Int, of clients: Int = 3, devices: Int = 7, seed: UInt64 = 1) -> LoadSchedule {
    LoadSchedule(rate: 200, total: 1_000, client: client, clients: clients, devices: devices, seed: seed)
  }

  @Test func theProcessesTogetherMakeOneEvenStream() {
    let offsets = (0..<3).flatMap { schedule($0).map(\.offset) }.sorted()
    #expect(offsets == (0..<1_000).map { Int64($0) * 5_000 })
  }

  @Test func everyDeviceBuysOnceBeforeOneBuysAgain() {
    let devices = schedule(1).map(\.device)
    for start in stride(from: 0, to: devices.count - 7, by: 7) {
      #expect(Set(devices[start..<start + 7]) == Set(0..<7))
    }
  }

  @Test func theSeedDecidesTheOrder() {
    #expect(Array(schedule(0)) == Array(schedule(0)))
    #expect(Array(schedule(0)) != Array(schedule(0, seed: 2)))
  }

  @Test func aProcessWithoutDevicesBuysNothing() {
    #expect(Array(schedule(0, devices: 0)).isEmpty)
  }
}
