import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Settings of a world that change while it lives, and purchases that tests take back.
@Suite struct ChangeWorldTests {
  @Test(arguments: [false, true]) func deletedPurchaseIsGoneForTheFamilyItsUserAndWhoCatchesUp(evicting: Bool) throws {
    let user = UUID()
    let store = try StoreHarness(evicting: evicting)
    try store.open("mum", "kid")
    try store.family("f", "mum", "kid")
    try store.buy("monthly", by: "mum", token: user)
    try store.advance(days: 40)
    try store.buy("lifetime", by: "mum")
    let seen = try store.ask(CatchUp(epoch: 0, after: 0), of: store.account("mum")).position
    let first = try #require(try store.history(of: "mum").records.first)
    try store.ask(DeleteTransaction(transactionId: first.transactionId), of: store.account("mum"))
    #expect(try store.history(of: "mum").records.map(\.productId) == ["com.example.app.lifetime"])
    #expect(try store.entitled("kid") == ["lifetime"])
    #expect(try store.entitlements(of: user).isEmpty)
    let reply = try store.ask(CatchUp(epoch: seen.epoch, after: seen.sequence), of: store.account("mum"))
    guard case .snapshot(let history) = reply.content else {
      Issue.record("events do not say what is gone")
      return
    }
    #expect(history.records.map(\.productId) == ["com.example.app.lifetime"])
    try store.restart()
    #expect(try store.history(of: "mum").records.map(\.productId) == ["com.example.app.lifetime"])
  }

  @Test func settingsChangeAndOutliveARestart() throws {
    let store = try StoreHarness()
    try store.open("ann")
    try store.ask(
      ChangeWorld(storefront: "DEU", locale: "de_DE", gracePeriodDays: 16, asksToBuy: true), of: store.worldAddress)
    try store.restart()
    let described = try store.ask(DescribeWorld(), of: store.worldAddress)
    #expect(described.storefront == "DEU")
    #expect(described.currency == "EUR")
    #expect(try store.ask(GetProducts(ids: []), of: store.worldAddress).locale == "de_DE")
    guard case .pending = try store.buy("monthly", by: "ann").outcome else {
      Issue.record("nobody was asked")
      return
    }
    try store.ask(ChangeWorld(asksToBuy: false), of: store.worldAddress)
    try store.buy("monthly", by: "ann")
    try store.ask(SetBilling(fails: true), of: store.account("ann"))
    // Past the end of the trial.
    try store.advance(days: 10)
    #expect(try store.entitled("ann").count == 1, "the grace period keeps it")
  }

  @Test func anotherCatalogueTakesThePlaceOfTheOne() throws {
    let store = try StoreHarness()
    let text = #"{"version": {"major": 3, "minor": 0}, "products": []}"#
    try store.ask(ChangeWorld(catalog: text), of: store.worldAddress)
    #expect(try store.ask(DescribeWorld(), of: store.worldAddress).catalog == text)
    #expect(throws: WireError.self) { try store.ask(ChangeWorld(catalog: "{"), of: store.worldAddress) }
  }

  @Test(arguments: [
    ChangeWorld(storefront: "Germany"), ChangeWorld(locale: ""), ChangeWorld(gracePeriodDays: 5),
  ])
  func impossibleSettingsAreRefused(change: ChangeWorld) throws {
    let store = try StoreHarness()
    #expect(throws: WireError.self) { try store.ask(change, of: store.worldAddress) }
  }

  @Test func clockStopsWhereItIsAndGoesOnWithTheMachines() throws {
    let store = try StoreHarness(clock: .real)
    try store.open("ann")
    #expect(throws: WireError.self) { try store.advance(days: 1) }
    try store.ask(ChangeWorld(clock: .manual), of: store.worldAddress)
    let stopped = try store.ask(DescribeWorld(), of: store.worldAddress).now
    store.wait(milliseconds: 5_000)
    #expect(try store.ask(DescribeWorld(), of: store.worldAddress).now == stopped)
    try store.advance(days: 1)
    try store.ask(ChangeWorld(clock: .real), of: store.worldAddress)
    let running = try store.ask(DescribeWorld(), of: store.worldAddress).now
    #expect(running < stopped.advanced(by: 86_400_000))
    store.wait(milliseconds: 5_000)
    #expect(try store.ask(DescribeWorld(), of: store.worldAddress).now >= running.advanced(by: 5_000))
  }
}
