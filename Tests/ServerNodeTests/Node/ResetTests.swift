import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// What a reset of a world or of an account takes, what stays, and how those who were away notice.
@Suite struct ResetTests {
  private let ann = UUID()

  private func busyWorld(evicting: Bool = false) throws -> StoreHarness {
    let store = try StoreHarness(evicting: evicting)
    try store.open("mum", "kid")
    try store.family("f", "mum", "kid")
    try store.buy("lifetime", by: "mum")
    try store.buy("monthly", by: "mum", token: ann)
    return store
  }

  private func catchUp(_ name: String, epoch: UInt64, after: UInt64, in store: StoreHarness) throws -> CatchUp.Reply {
    try store.ask(CatchUp(epoch: epoch, after: after), of: store.account(name))
  }

  @Test(arguments: [false, true]) func resetWorldKeepsSettingsClockAndAccountsAndNothingElse(evicting: Bool) throws {
    let store = try busyWorld(evicting: evicting)
    try store.advance(days: 2)
    let before = try store.ask(DescribeWorld(), of: store.worldAddress)
    let ids = Set(try store.history(of: "mum").records.map(\.transactionId))
    try store.ask(ResetWorld(), of: store.worldAddress)
    var after = try store.ask(DescribeWorld(), of: store.worldAddress)
    #expect(after.epoch == before.epoch + 1)
    after.epoch = before.epoch
    #expect(after == before)
    for name in ["mum", "kid"] {
      #expect(try store.history(of: name).records.isEmpty)
      #expect(try store.events(of: name) == ["opened"])
    }
    #expect(try store.entitlements(of: ann).isEmpty)
    #expect(throws: WireError.self) { try store.ask(DescribeFamily(), of: store.address(.family, "f")) }
    #expect(try store.journal.recover().timers.isEmpty)
    // A new purchase has a new id, and families can be made again.
    try store.family("f", "mum", "kid")
    try store.buy("lifetime", by: "mum")
    #expect(try store.entitled("kid") == ["lifetime"])
    #expect(ids.isDisjoint(with: Set(try store.history(of: "mum").records.map(\.transactionId))))
    try store.open("late")
    try store.buy("lifetime", by: "late")
    let all = try ["mum", "kid", "late"].flatMap { try store.history(of: $0).records.map(\.transactionId) }
    #expect(Set(all).count == 3)
  }

  @Test func deviceThatWasOfflineAtAWorldsResetNoticesByTheEpoch() throws {
    let store = try busyWorld()
    let seen = try catchUp("mum", epoch: 0, after: 0, in: store).position
    try store.ask(ResetWorld(), of: store.worldAddress)
    let stale = try store.ask(CheckPositions(positions: [seen]), of: store.address(.node, "server")).stale
    #expect(stale.map(\.epoch) == [seen.epoch + 1])
    let reply = try catchUp("mum", epoch: seen.epoch, after: seen.sequence, in: store)
    #expect(reply.position.epoch == seen.epoch + 1)
    guard case .snapshot(let history) = reply.content else {
      Issue.record("a device of an older epoch gets events")
      return
    }
    #expect(history.records.isEmpty)
    #expect(store.published.last { $0.topic == store.account("mum").topic }?.epoch == seen.epoch + 1)
  }

  @Test func resetAskedAgainHappensOnceEvenAfterARestart() throws {
    let store = try busyWorld()
    let id = RequestID(UUID())
    try store.ask(ResetWorld(), of: store.worldAddress, id: id)
    try store.buy("lifetime", by: "mum")
    try store.ask(ResetWorld(), of: store.worldAddress, id: id)
    try store.restart()
    try store.ask(ResetWorld(), of: store.worldAddress, id: id)
    #expect(try store.entitled("mum") == ["lifetime"])
    #expect(try store.ask(DescribeWorld(), of: store.worldAddress).epoch == 2)
  }

  @Test(arguments: 0..<12) func nodeThatDiesDuringAResetFinishesIt(at death: Int) throws {
    let store = try busyWorld()
    var steps = 0
    store.crashes = {
      steps += 1
      return steps == death + 1
    }
    try store.ask(ResetWorld(), of: store.worldAddress)
    store.crashes = { false }
    #expect(try store.history(of: "mum").records.isEmpty)
    try store.family("f", "mum", "kid")
    try store.buy("lifetime", by: "mum")
    #expect(try store.entitled("kid") == ["lifetime"])
    #expect(try store.journal.recover().effects.isEmpty)
  }

  @Test func changesWaitUntilTheResetIsOverAndWhatWasOnItsWayIsGone() throws {
    let store = try busyWorld()
    store.holdsCommits = true
    let ids = (0..<3).map { _ in RequestID(UUID()) }
    store.send(Purchase(productId: "com.example.app.coins"), to: store.account("kid"), id: ids[0])
    store.send(ResetWorld(), to: store.worldAddress, id: ids[1])
    store.send(Purchase(productId: "com.example.app.lifetime"), to: store.account("mum"), id: ids[2])
    store.release()
    for id in ids {
      guard case .ok = store.reply(to: id)?.outcome else {
        Issue.record("not answered: \(String(describing: store.reply(to: id)))")
        continue
      }
    }
    #expect(try store.ask(DescribeWorld(), of: store.worldAddress).epoch == 2)
    #expect(try store.history(of: "kid").records.isEmpty)
  }

  // MARK: One account

  @Test(arguments: [false, true])
  func br53ResetAccountLosesItsHistoryAndLeavesItsFamilyAndBuysUnderANewId(evicting: Bool) throws {
    let store = try busyWorld(evicting: evicting)
    try store.buy("lifetime", by: "kid")
    let old = try store.history(of: "mum").records.map(\.transactionId)
    try store.ask(ResetAccount(), of: store.account("mum"))
    #expect(try store.history(of: "mum").records.isEmpty)
    #expect(try store.entitlements(of: ann).isEmpty)
    // It was the organiser's.
    #expect(throws: WireError.self) { try store.ask(DescribeFamily(), of: store.address(.family, "f")) }
    #expect(try store.entitled("kid") == ["lifetime"], "its own stays")
    #expect(try store.journal.recover().timers.isEmpty)
    try store.buy("lifetime", by: "mum")
    let new = try store.history(of: "mum").records.map(\.transactionId)
    #expect(new.count == 1 && !old.contains(new[0]))
    let eligible = try store.ask(GetIntroEligibility(groups: ["5E1F00D1"]), of: store.account("mum")).eligible
    #expect(eligible == ["5E1F00D1": true])
    try store.family("f", "kid", "mum")
    #expect(try store.history(of: "kid").currentEntitlements().count == 2)
  }

  @Test func br53DeviceThatWasOfflineAtAnAccountsResetGetsASnapshot() throws {
    let store = try busyWorld()
    let seen = try catchUp("mum", epoch: 0, after: 0, in: store).position
    let reset = try store.ask(ResetAccount(), of: store.account("mum"))
    #expect(store.published.last { $0.topic == store.account("mum").topic }?.name == AccountUpdate.reset)
    try store.buy("coins", by: "mum")
    try store.restart()
    for after in [1, seen.sequence, reset.sequence - 1] {
      guard case .snapshot(let history) = try catchUp("mum", epoch: 1, after: after, in: store).content else {
        Issue.record("events after \(after) would leave what is gone")
        continue
      }
      #expect(history.records.map(\.productId) == ["com.example.app.coins"])
    }
    guard case .events(let updates) = try catchUp("mum", epoch: 1, after: reset.sequence, in: store).content else {
      Issue.record("who knows of the reset needs no snapshot")
      return
    }
    #expect(updates.map(\.name) == ["purchased"])
  }

  @Test func resetsAreForControlConnections() throws {
    let store = try busyWorld()
    let phones = PeerID(Data("phones".utf8))
    try store.hello("phones", as: phones, devices: ["phone": "mum"])
    let world = #expect(throws: WireError.self) { try store.ask(ResetWorld(), of: store.worldAddress, from: phones) }
    #expect(world?.code == .unauthorized)
    let account = #expect(throws: WireError.self) {
      try store.ask(ResetAccount(), of: store.account("mum"), from: phones)
    }
    #expect(account?.code == .unauthorized)
  }
}
