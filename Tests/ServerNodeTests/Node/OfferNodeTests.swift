import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Offers as peers of a node see them: the key, refusals that are remembered, retries.
@Suite struct OfferNodeTests {
  private func key(_ store: StoreHarness) throws -> OffersKey {
    let reply = try store.ask(DescribeOfferKeys(), of: store.worldAddress)
    return try OffersKey(id: reply.keyId, privateKey: reply.privateKey)
  }

  private func purchase(_ key: OffersKey, nonce: UUID = UUID()) throws -> Purchase {
    let timestamp = StoreHarness.start.milliseconds
    let message = PromotionalOfferMessage(
      bundleId: "com.example.app", keyId: key.id, productId: "pro.monthly", offerId: "promo.free",
      appAccountToken: nil, nonce: nonce, timestamp: timestamp)
    return Purchase(
      productId: "pro.monthly",
      offer: .promotional(
        PromotionalOfferSignature(
          offerId: "promo.free", keyId: key.id, nonce: nonce, timestamp: timestamp,
          signature: try key.sign(message.data))))
  }

  private func refusal(_ store: StoreHarness, _ purchase: Purchase, id: RequestID = RequestID(UUID())) -> Refusal? {
    do {
      _ = try store.ask(purchase, of: store.account("alice"), id: id)
      return nil
    } catch { return (error as? WireError)?.refusal }
  }

  @Test(arguments: [false, true])
  func refusedPurchaseUsesItsSignatureUpForEver(evicting: Bool) throws {
    let store = try StoreHarness(evicting: evicting, catalog: AccountStage.catalog)
    try store.open("alice")
    let signed = try purchase(try key(store))
    #expect(refusal(store, signed) == .ineligibleForOffer)
    #expect(try store.events(of: "alice") == ["opened", "offerSignatureUsed"])
    try store.restart()
    try store.ask(Purchase(productId: "pro.monthly"), of: store.account("alice"))
    #expect(refusal(store, signed) == .invalidOfferSignature)
    #expect(try store.history(of: "alice").records.map(\.price) == [9_990])
  }

  @Test func sameRequestAskedAgainIsNoSecondUse() throws {
    let store = try StoreHarness(catalog: AccountStage.catalog)
    try store.open("alice")
    let id = RequestID(UUID())
    let signed = try purchase(try key(store))
    for _ in 0..<3 { #expect(refusal(store, signed, id: id) == .ineligibleForOffer) }
    #expect(try store.events(of: "alice") == ["opened", "offerSignatureUsed"])
    try store.ask(Purchase(productId: "pro.monthly"), of: store.account("alice"))
    let sold = RequestID(UUID())
    let other = try purchase(try key(store))
    for _ in 0..<3 { #expect(refusal(store, other, id: sold) == nil) }
    #expect(try store.events(of: "alice").suffix(2) == ["purchased", "renewalPreferenceChanged"])
  }

  @Test func catalogueWithAKeyPairBringsTheKey() throws {
    let own = try OffersKey.generate(id: "FROMFILE01")
    let text = try own.privateKeyPEM().replacingOccurrences(of: "\n", with: "\\n")
    let catalog = AccountStage.catalog.replacingOccurrences(
      of: #""identifier": "TEST","#,
      with: #""identifier": "TEST", "subscriptionOffersKeyPair": {"id": "FROMFILE01", "privateKey": "\#(text)"},"#)
    let store = try StoreHarness(catalog: catalog)
    #expect(try key(store).id == "FROMFILE01")
    try store.open("alice")
    try store.ask(Purchase(productId: "pro.monthly"), of: store.account("alice"))
    #expect(refusal(store, try purchase(own)) == nil)
  }

  @Test func catalogueWithABadKeyPairHasTheWorldsKeyAndIsLogged() throws {
    let catalog = AccountStage.catalog.replacingOccurrences(
      of: #""identifier": "TEST","#,
      with: #""identifier": "TEST", "subscriptionOffersKeyPair": {"id": "BAD", "privateKey": "SECRET"},"#)
    let store = try StoreHarness(catalog: catalog)
    #expect(try key(store).id == "OWN")
    #expect(store.logged.contains { $0.contains("'BAD'") })
    #expect(!store.logged.contains { $0.contains("SECRET") })
  }

  @Test func codeReachesTheAccount() throws {
    let store = try StoreHarness(catalog: AccountStage.catalog)
    try store.open("alice")
    let reply = try store.ask(RedeemCode(productId: "pro.monthly", code: "NEW"), of: store.account("alice"))
    #expect(reply.outcome == .purchased(try #require(try store.history(of: "alice").records.first).transactionId))
    try store.restart()
    let error = #expect(throws: WireError.self) {
      try store.ask(RedeemCode(productId: "pro.monthly", code: "NEW"), of: store.account("alice"))
    }
    #expect(error?.refusal == .ineligibleForOffer)
  }
}
