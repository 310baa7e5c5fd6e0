import Foundation
import Shared
import Testing
import Wire

@testable import storefleet

struct WatchTextTests {
  private func event(_ topic: String, _ name: String, _ body: some Encodable) -> EventFrames {
    EventFrames(topic: topic, epoch: 1, sequence: 1, name: name, body: WireJSON.encode(body))
  }

  private func report(sequence: UInt64, entitled: [String]) -> DeviceReport {
    DeviceReport(
      device: "phone", account: "alice", incarnation: 1, online: true, epoch: 1, sequence: sequence, unfinished: [],
      updates: [], screen: AppScreen(access: entitled.isEmpty ? .locked : .unlocked, entitled: entitled))
  }

  @Test func reportInWhichNothingVisibleChangedIsNoLine() {
    var watch = WatchText(now: StoreTime(milliseconds: 0))
    let first = watch.line(event("w/device/phone/", "report", report(sequence: 1, entitled: [])))
    #expect(first == "1970-01-01T00:00:00Z  phone               online, locked: may use nothing")
    #expect(watch.line(event("w/device/phone/", "report", report(sequence: 2, entitled: []))) == nil)
    #expect(watch.line(event("w/device/phone/", "report", report(sequence: 3, entitled: ["coins"]))) != nil)
  }

  @Test func eventOfAnAccountSaysStoreTimeTrialAndEnd() {
    var record = TransactionRecord(
      transactionId: TransactionID(7), originalTransactionId: TransactionID(7), productId: "yearly",
      type: .autoRenewable, purchaseDate: StoreTime(milliseconds: 0), originalPurchaseDate: StoreTime(milliseconds: 0),
      price: 0, currency: "USD", storefront: "USA", appTransactionId: "1")
    record.offer = AppliedOffer(type: AppliedOffer.introductory, discountType: "FREE_TRIAL", period: "P1W")
    record.expiresDate = StoreTime(milliseconds: 604_800_000)
    let update = AccountUpdate(
      sequence: 1, name: "purchased", at: StoreTime(milliseconds: 1_000), records: [record])
    var watch = WatchText(now: StoreTime(milliseconds: 0))
    #expect(
      watch.line(event("w/account/alice/", "purchased", update))
        == "1970-01-01T00:00:01Z  alice               began a free trial of yearly until 1970-01-08T00:00:00Z "
        + "(transaction 7)")
  }

  @Test func clockSaysWhereItMovesAndThatItIsThere() {
    let day = StoreTime(milliseconds: 86_400_000)
    var watch = WatchText(now: StoreTime(milliseconds: 0))
    #expect(
      watch.line(event("w/world/w/", ClockMoves.name, ClockMoves(to: day)))
        == "1970-01-01T00:00:00Z  clock               moves to 1970-01-02T00:00:00Z")
    #expect(
      watch.line(event("w/world/w/", ClockMoved.name, ClockMoved(now: day)))
        == "1970-01-02T00:00:00Z  clock               moved here")
  }

  @Test func accountThatMovesSaysWhereTo() {
    let update = AccountUpdate(
      sequence: 2, name: "storefrontChanged", at: StoreTime(milliseconds: 1_000), storefront: "DEU")
    var watch = WatchText(now: StoreTime(milliseconds: 0))
    #expect(
      watch.line(event("w/account/alice/", "storefrontChanged", update))
        == "1970-01-01T00:00:01Z  alice               moved to the storefront DEU")
  }
}
