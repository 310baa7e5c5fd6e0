import Fleet
import Testing
import Wire

@Suite struct FleetPlanTests {
  @Test func devicesOfOneAccountLiveInDifferentProcesses() {
    let plan = FleetPlan(world: "w", devices: 1_000, devicesPerAccount: 4, clients: 4)
    #expect(plan.accounts.count == 250)
    #expect(plan.seats.map(\.count) == [250, 250, 250, 250])
    for seats in plan.seats { #expect(Set(seats.map(\.account)).count == 250) }
  }

  @Test func theLastAccountHasTheRest() {
    let plan = FleetPlan(world: "w", devices: 10, devicesPerAccount: 4, clients: 2)
    #expect(plan.accounts == ["account-1", "account-2", "account-3"])
    #expect(plan.accountOfDevice.values.filter { $0 == "account-3" }.count == 2)
    #expect(Set(plan.seats.flatMap { $0 }.map(\.account)) == Set(plan.accounts))
  }

  @Test func thereAreNoProcessesWithoutDevices() {
    #expect(FleetPlan(world: "w", devices: 2, devicesPerAccount: 2, clients: 4).seats.map(\.count) == [1, 1])
  }
}
