import Foundation
import ServerNode
import Shared
import Testing
import Wire

@Suite struct HabitsTests {
  @Test func changedHabitsSurviveARestartAndAReset() throws {
    let store = try StoreHarness()
    #expect(try store.ask(DescribeWorld(), of: store.worldAddress).habits == nil)
    try store.ask(SetHabits(HabitChange(parsing: "field,lateListing=5")), of: store.worldAddress)
    try store.ask(SetHabits(HabitChange(parsing: "bufferedReplay")), of: store.worldAddress)
    var expected = Habits(.field)
    expected.lateListing = 5
    expected.bufferedReplay = true
    #expect(try store.ask(DescribeWorld(), of: store.worldAddress).habits == expected)
    try store.restart()
    #expect(try store.ask(DescribeWorld(), of: store.worldAddress).habits == expected)
    try store.ask(ResetWorld(), of: store.worldAddress)
    #expect(try store.ask(DescribeWorld(), of: store.worldAddress).habits == expected)
    try store.ask(SetHabits(HabitChange(parsing: "documented")), of: store.worldAddress)
    #expect(try store.ask(DescribeWorld(), of: store.worldAddress).habits == nil)
  }

  @Test func sameHabitsAgainAreNoEvent() throws {
    let store = try StoreHarness()
    for _ in 0..<2 { try store.ask(SetHabits(HabitChange(parsing: "coldStartEmpty")), of: store.worldAddress) }
    let events = try store.ask(ReadJournal(after: 0), of: store.worldAddress).events
    #expect(events.count { $0.name == "habitsChanged" } == 1)
  }

  @Test func habitThatNobodyKnowsIsABadBodyWithASuggestion() throws {
    let store = try StoreHarness()
    let body = Data(#"{"habits":{"coldStartEmty":true}}"#.utf8)
    let id = RequestID(UUID())
    store.send(RequestFrames(id: id, address: store.worldAddress, name: SetHabits.name, body: body).frames)
    guard case .failed(let error)? = store.reply(to: id)?.outcome else {
      Issue.record("nothing was refused")
      return
    }
    #expect(error.code == .badBody)
    #expect(error.message.contains("did you mean 'coldStartEmpty'?"))
  }
}
