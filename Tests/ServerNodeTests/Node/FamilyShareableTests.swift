import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// A product that can be shared with families from some day on (BR-31).
@Suite struct FamilyShareableTests {
  private func household(delay: Int64? = nil) throws -> StoreHarness {
    let store = try StoreHarness(catalog: AccountStage.catalog, familyGrantDelay: delay)
    try store.open("mum", "kid", "zoe")
    try store.family("f", "mum", "kid")
    return store
  }

  private func buy(_ product: String, _ store: StoreHarness) throws {
    try store.ask(Purchase(productId: product), of: store.account("mum"))
  }

  private func share(_ product: String, _ store: StoreHarness) throws {
    try store.ask(SetFamilyShareable(productId: product), of: store.worldAddress)
  }

  private func products(_ name: String, _ store: StoreHarness) throws -> [String] {
    try store.history(of: name).currentEntitlements().map(\.productId).sorted()
  }

  @Test func br31WhatWasBoughtBeforeReachesTheFamilyOnceTheDelayIsOver() throws {
    let store = try household(delay: 3_600_000)
    try buy("private", store)
    try store.advance(days: 30)
    #expect(try products("kid", store).isEmpty)
    try share("private", store)
    try store.advance(minutes: 59)
    #expect(try products("kid", store).isEmpty)
    try store.restart()
    try store.advance(minutes: 1)
    #expect(try products("kid", store) == ["private"])
    #expect(try store.history(of: "kid").records.map(\.inAppOwnershipType) == [.familyShared])
    #expect(try products("zoe", store).isEmpty)
    #expect(try store.ask(GetProducts(ids: ["private"]), of: store.worldAddress).products[0].isFamilyShareable)
  }

  @Test func br31WhoSubscribesAlreadyHasToShareItFirst() throws {
    let store = try household()
    try buy("pro.other", store)
    try share("pro.other", store)
    #expect(try products("kid", store).isEmpty)
    try store.advance(days: 40)
    #expect(try products("kid", store).isEmpty, "a renewal is no choice")
    try store.ask(SetSharing(account: "mum", productId: "pro.other", on: true), of: store.address(.family, "f"))
    #expect(try products("kid", store) == ["pro.other"])
    try store.ask(SetSharing(account: "mum", productId: "pro.other", on: false), of: store.address(.family, "f"))
    #expect(try products("kid", store).isEmpty)
  }

  @Test func br31WhoSubscribesAfterwardsSharesAsEverybodyDoes() throws {
    let store = try household()
    try buy("pro.other", store)
    try store.ask(SetAutoRenew(productId: "pro.other", on: false), of: store.account("mum"))
    try share("pro.other", store)
    try store.advance(days: 40)
    try buy("pro.other", store)
    #expect(try products("kid", store) == ["pro.other"])
  }

  @Test func itIsTurnedOnOnceAndOnlyForWhatCanBeShared() throws {
    let store = try household()
    func refusal(_ product: String) -> Refusal? {
      do { try share(product, store) } catch { return (error as? WireError)?.refusal }
      return nil
    }
    #expect(refusal("coins") == .wrongState)
    #expect(refusal("season") == .wrongState)
    #expect(refusal("nothing") == .productUnavailable)
    #expect(refusal("lifetime") == .wrongState, "the catalogue says it already")
    #expect(refusal("private") == nil)
    #expect(refusal("private") == .wrongState)
    try store.restart()
    #expect(refusal("private") == .wrongState)
    try store.ask(ResetWorld(), of: store.worldAddress)
    #expect(refusal("private") == .wrongState)
  }

  @Test func accountsAreListedInTheOrderOfOpening() throws {
    let store = try household()
    try store.ask(OpenAccount(account: "aunt", asksToBuy: true, storefront: "DEU"), of: store.worldAddress)
    let accounts = try store.ask(ListAccounts(), of: store.worldAddress).accounts
    #expect(accounts.map(\.account) == ["mum", "kid", "zoe", "aunt"])
    #expect(accounts.last == AccountEntry(account: "aunt", asksToBuy: true, storefront: "DEU"))
    let phones = PeerID(Data("phones".utf8))
    try store.hello("phones", as: phones, devices: ["phone": "mum"])
    let error = #expect(throws: WireError.self) {
      try store.ask(ListAccounts(), of: store.worldAddress, from: phones)
    }
    #expect(error?.code == .unauthorized)
  }

  @Test func aSnapshotSaysWhereTheAccountBuys() throws {
    let store = try household()
    func storefront() throws -> String? {
      try store.ask(CatchUp(epoch: 0, after: 0), of: store.account("mum")).storefront
    }
    #expect(try storefront() == "USA")
    try store.ask(SetStorefront(storefront: "DEU"), of: store.account("mum"))
    #expect(try storefront() == "DEU")
    let update = try #require(store.published.last { $0.name == "storefrontChanged" && $0.topic.contains("account") })
    #expect(try WireJSON.decode(AccountUpdate.self, from: update.body).storefront == "DEU")
  }

  @Test func devicesDoNotTellWhatWasUsed() throws {
    let store = try household()
    try buy("coins", store)
    let id = try #require(try store.history(of: "mum").records.first?.transactionId)
    try store.ask(RequestRefund(transactionId: id), of: store.account("mum"))
    let phones = PeerID(Data("phones".utf8))
    try store.hello("phones", as: phones, devices: ["phone": "mum"])
    let request = SendConsumptionInformation(transactionId: id, information: .v2(ConsumptionRequestV2()))
    let error = #expect(throws: WireError.self) { try store.ask(request, of: store.account("mum"), from: phones) }
    #expect(error?.code == .unauthorized)
    try store.ask(request, of: store.account("mum"))
  }
}
