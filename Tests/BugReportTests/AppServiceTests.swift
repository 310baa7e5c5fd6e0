import ClientNode
import Foundation
import Shared
import Testing
import Wire

/// What the store does for apps besides selling, between the real store and its phones.
struct AppServiceTests {
  private func appTransaction(on phone: String, of town: Town, refresh: Bool = false) throws -> SignedAppTransaction {
    let result = try #require(try town.call(.appTransaction(refresh: refresh), on: phone))
    guard case .appTransaction(let signed) = try result.get() else { throw Unexpected(what: "\(result)") }
    return signed
  }

  private func payload(_ signed: SignedAppTransaction) throws -> AppTransactionPayload {
    try JSONDecoder().decode(AppTransactionPayload.self, from: CompactJWS(signed.jws).payloadData)
  }

  @Test func theAppTransactionIsSignedForTheDeviceAndKeptForOfflineLaunches() throws {
    let town = try Town(["a": "alice", "b": "alice", "c": "carol"])
    let first = try appTransaction(on: "a", of: town)
    #expect(first.failure == nil)
    let app = try payload(first)
    #expect(app.bundleId == "com.example.app")
    #expect(app.deviceVerification != nil)
    // The account's, on each of its devices.
    #expect(try payload(appTransaction(on: "b", of: town)).appTransactionId == app.appTransactionId)
    #expect(try payload(appTransaction(on: "c", of: town)).appTransactionId != app.appTransactionId)

    try town.offline("a")
    try town.reboot("a")
    #expect(try appTransaction(on: "a", of: town).jws == first.jws)
    #expect(town.requests["getAppTransaction"] == 3)
    // A new one needs the store.
    #expect(throws: DaemonError.network) { try appTransaction(on: "a", of: town, refresh: true) }
    try town.online("a")
    #expect(try appTransaction(on: "a", of: town, refresh: true).jws != first.jws)
  }

  @Test func aPhoneThatNeverHadOneHasNoneOffline() throws {
    let town = try Town(["a": "alice"])
    try town.offline("a")
    let result = try #require(try town.call(.appTransaction(refresh: false), on: "a"))
    guard case .failure(.network) = result else {
      Issue.record("\(result)")
      return
    }
  }

  @Test func anotherAccountOnThePhoneHasItsOwn() throws {
    let town = try Town(["a": "alice", "c": "carol"])
    let alices = try payload(appTransaction(on: "a", of: town))
    try town.reboot("a", as: "carol")
    let carols = try appTransaction(on: "a", of: town)
    #expect(carols.failure == nil)
    #expect(try payload(carols).appTransactionId != alices.appTransactionId)
  }

  @Test func aRefundRequestReachesTheStoreAndSwitchesAutoRenewOff() throws {
    let town = try Town(["a": "alice"])
    let record = try town.buy(.weekly, on: "a")
    let answer = try #require(try town.call(.requestRefund(record.transactionId), on: "a"))
    guard case .success(.done) = answer else {
      Issue.record("\(answer)")
      return
    }
    town.rest()
    #expect(try town.events(of: "alice").suffix(2) == ["refundRequested", "autoRenewChanged"])
    #expect(try town.entitled("a") == [.weekly])
    try town.refund(.weekly, of: "alice")
    #expect(try town.entitled("a").isEmpty)
    guard case .failure(.refused(.alreadyRefunded, _)) = try town.call(.requestRefund(record.transactionId), on: "a")
    else {
      Issue.record("money back twice")
      return
    }
  }

  @Test func noticesWaitForTheApp() throws {
    let town = try Town(["a": "alice"])
    try town.ask(SendMessage(reason: .billingIssue), of: town.address(.device, "a"))
    #expect(town.phones["a"]?.notices == [.message(.billingIssue)])
    try town.kill("a")
    let intent = SendPurchaseIntent(productId: Item.coins.id)
    try town.ask(intent, of: town.address(.device, "a"))
    #expect(town.phones["a"]?.notices.count == 1)
    try town.launch("a")
    #expect(town.phones["a"]?.notices == [.message(.billingIssue), .purchaseIntent(intent)])
  }

  @Test func aSheetIsInThePhonesLog() throws {
    let town = try Town(["a": "alice"])
    _ = try town.call(.show(.manageSubscriptions(group: "5E1F00D1")), on: "a")
    #expect(town.phones["a"]?.log.contains { $0.contains("manage subscriptions of group 5E1F00D1") } == true)
  }
}
