import Shared
import Testing
import Wire

@testable import Fleet

@Suite struct FailureConditionTests {
  /// One purchase by one of two devices; the other got it after 300 ms, or never.
  private func report(delivered: Bool = true) -> LoadReport {
    var record = LoadRecord(devices: ["device-1", "device-2"], counts: LoadCounts(planned: 1, acknowledged: 1))
    record.purchases.append(LoadPurchase(device: 0, transaction: 1, intendedAt: 1_000))
    record.roundTrip.record(20_000)
    if delivered { record.deliveries.append(LoadDelivery(device: 1, transaction: 1, at: 301_000)) }
    return LoadReport(
      plan: FleetPlan(world: "w", devices: 2, devicesPerAccount: 2, clients: 1), product: "coins", seed: 1, rate: 1,
      durationSeconds: 1, startAt: 0, records: [record], usage: LoadUsage())
  }

  @Test(arguments: [
    ("lost>0", false), ("lost>=0", true), ("lost==0", true), ("lost!=0", false), ("errors<1", true),
    ("propagation.p99>250ms", true), ("propagation.max > 1s", false), ("roundtrip.p50<=20ms", true),
    ("roundtrip.p99.9>=1m", false),
  ])
  func aConditionHoldsOrNot(text: String, holds: Bool) throws {
    #expect(try FailureCondition(text).holds(for: report()) == holds)
  }

  @Test func aLossIsFound() throws {
    #expect(try FailureCondition("lost>0").holds(for: report(delivered: false)))
  }

  @Test func aPercentileOfNothingFailsNothing() throws {
    #expect(try !FailureCondition("propagation.p99>=0").holds(for: report(delivered: false)))
  }

  @Test func aListIsSeparatedByCommas() throws {
    let list = try FailureCondition.list("lost>0, propagation.p99>250ms")
    #expect(list.map(\.description) == ["lost>0", "propagation.p99>250ms"])
    #expect(list.map(\.limit) == [0, 250_000])
  }

  @Test(arguments: [
    ("", "no condition"), ("lost", "no condition"), ("lost=0", "no condition"), ("lots>0", "did you mean 'lost'?"),
    ("propagation.p98>1s", "unknown metric"), ("propagation>1s", "unknown metric"), ("lost>1s", "write a whole number"),
    ("lost>-1", "write a whole number"), ("propagation.p99>250", "without a unit"), ("roundtrip.max>", "is empty"),
    ("lost>0,", "no condition"), ("propagation.p99>99999999999w", "too long"),
  ])
  func aMistakeIsSaidInOneSentence(text: String, says: String) {
    let error = #expect(throws: FailureCondition.Malformed.self) { try FailureCondition.list(text) }
    #expect(error?.description.contains(says) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("\n") == false)
  }
}
