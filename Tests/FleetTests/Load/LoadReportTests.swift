import Foundation
import Shared
import Testing
import Wire

@testable import Fleet

@Suite struct LoadReportTests {
  private let plan = FleetPlan(world: "w", devices: 4, devicesPerAccount: 2, clients: 2)

  private func report() -> LoadReport {
    var one = LoadRecord(devices: ["device-1", "device-3"], counts: LoadCounts(planned: 2, acknowledged: 1, failed: 1))
    one.purchases.append(LoadPurchase(device: 0, transaction: 1, intendedAt: 1_000_000))
    one.roundTrip.record(1_500)
    one.failures = ["the store said no": 1]
    one.lastReturnAt = 5_000_000
    var two = LoadRecord(devices: ["device-2", "device-4"], counts: LoadCounts(planned: 1, acknowledged: 1))
    two.deliveries.append(LoadDelivery(device: 0, transaction: 1, at: 1_004_000))
    two.purchases.append(LoadPurchase(device: 1, transaction: 2, intendedAt: 1_000_000))
    two.roundTrip.record(2_000)
    two.failures = ["the store said no": 2]
    var usage = LoadUsage()
    usage.clientsReady.residentBytes = 10 << 20
    usage.clientsLaunched = ProcessUsage(cpuSeconds: 1, residentBytes: 14 << 20)
    usage.clientsAfter = ProcessUsage(cpuSeconds: 3, residentBytes: 15 << 20)
    usage.serverBefore.cpuSeconds = 0.5
    usage.serverAfter.cpuSeconds = 1
    return LoadReport(
      plan: plan, product: "coins", seed: 1, rate: 2, durationSeconds: 1, startAt: 1_000_000, records: [one, two],
      usage: usage)
  }

  @Test func theProcessesAreAddedUp() {
    let report = report()
    #expect((report.purchases, report.errors) == (2, 1))
    #expect(report.failures == ["the store said no": 3])
    #expect((report.owed, report.delivered, report.lost) == (2, 1, 1))
    #expect((report.roundtrip.count, report.roundtrip.max) == (2, 2_000))
    #expect(report.propagation.p50 == 4_000)
  }

  @Test func theRateIsThatUntilTheLastPurchaseReturned() { #expect(report().rateAchieved == 0.5) }

  @Test func costIsOfTheRunAndMemoryOfTheLaunch() {
    let report = report()
    #expect(report.cost.clientCPUMicrosecondsPerDelivery == 2_000_000)
    #expect(report.cost.serverCPUMicrosecondsPerDelivery == 500_000)
    #expect(report.memory.perDevice == 1 << 20)
  }

  @Test func peopleReadItInLines() {
    let text = report().lines.joined(separator: "\n")
    #expect(text.contains("1 of 2: 1 lost, 0 duplicate, 0 out of order"))
    #expect(text.contains("4.000 ms"))
    #expect(text.contains("failed 3 times: the store said no"))
  }

  @Test func itComesBackFromJSON() throws {
    let json = try JSONEncoder().encode(report())
    #expect(try JSONDecoder().decode(LoadReport.self, from: json) == report())
  }

  @Test func aProcessIsReadFromProcEvenWithAnOddName() throws {
    let stat = "7 (a ) b) S 1 7 7 0 -1 4194560 1 2 3 4 150 50 0 0 20 0 3 0 100 1000 9 1"
    let usage = try #require(
      ProcessUsage(stat: stat, statm: "500 25 3 0 0 0 0\n", ticksPerSecond: 100, pageSize: 4_096))
    #expect(usage == ProcessUsage(cpuSeconds: 2, residentBytes: 25 * 4_096))
    #expect(ProcessUsage(runningProcess: ProcessInfo.processInfo.processIdentifier)?.residentBytes ?? 0 > 0)
    #expect(ProcessUsage(stat: "nonsense", statm: "", ticksPerSecond: 100, pageSize: 4_096) == nil)
  }
}
