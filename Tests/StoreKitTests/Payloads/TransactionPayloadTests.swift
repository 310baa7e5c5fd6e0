import Foundation
import Shared
import Testing

@Suite struct TransactionPayloadTests {
  /// A record that uses every key.
  private static let full = TransactionRecord.yearly.with { record in
    record.appAccountToken = UUID(uuidString: "5F1B0C3A-8F5E-4D3B-9B5B-0A4C6B6F1E11")
    record.inAppOwnershipType = .familyShared
    record.transactionReason = .renewal
    record.quantity = 2
    record.offer = AppliedOffer(type: 2, identifier: "so\"on\\\n", discountType: "PAY_UP_FRONT", period: "P2M")
    record.revocation = Revocation(
      date: TransactionRecord.start, reason: 1, type: "REFUND_PRORATED", percentage: 25_500)
    record.isUpgraded = true
  }

  private func object(_ payload: TransactionPayload) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: payload.json()) as? [String: Any])
  }

  @Test func keysAndTypesAreTheStores() throws {
    let device = try DeviceVerification(nonce: UUID(), deviceID: UUID())
    let json = try object(
      TransactionPayload(Self.full, identity: JWS.identity, signedDate: JWS.signedDate, device: device))
    #expect(json["transactionId"] as? String == "2000000000000100")
    #expect(json["originalTransactionId"] as? String == "2000000000000100")
    #expect(json["webOrderLineItemId"] as? String == "2000000000000200")
    #expect(json["bundleId"] as? String == "com.example.app")
    #expect(json["productId"] as? String == "yearly")
    #expect(json["subscriptionGroupIdentifier"] as? String == "21000000")
    #expect(json["purchaseDate"] as? Int64 == 1_780_000_000_000)
    #expect(json["originalPurchaseDate"] as? Int64 == 1_780_000_000_000)
    #expect(json["expiresDate"] as? Int64 == 1_811_536_000_000)
    #expect(json["quantity"] as? Int == 2)
    #expect(json["type"] as? String == "Auto-Renewable Subscription")
    #expect(json["appAccountToken"] as? String == "5f1b0c3a-8f5e-4d3b-9b5b-0a4c6b6f1e11")
    #expect(json["inAppOwnershipType"] as? String == "FAMILY_SHARED")
    #expect(json["revocationDate"] as? Int64 == 1_780_000_000_000)
    #expect(json["revocationReason"] as? Int == 1)
    #expect(json["revocationType"] as? String == "REFUND_PRORATED")
    #expect(json["revocationPercentage"] as? Int == 25_500)
    #expect(json["isUpgraded"] as? Bool == true)
    #expect(json["offerType"] as? Int == 2)
    #expect(json["offerIdentifier"] as? String == "so\"on\\\n")
    #expect(json["offerDiscountType"] as? String == "PAY_UP_FRONT")
    #expect(json["offerPeriod"] as? String == "P2M")
    #expect(json["environment"] as? String == "Sandbox")
    #expect(json["storefront"] as? String == "USA")
    #expect(json["storefrontId"] as? String == "143441")
    #expect(json["transactionReason"] as? String == "RENEWAL")
    #expect(json["price"] as? Int == 39_990)
    #expect(json["currency"] as? String == "USD")
    #expect(json["appTransactionId"] as? String == "704000000000000001")
    #expect(json["signedDate"] as? Int64 == 1_790_000_000_123)
    #expect(json["deviceVerification"] as? String == device.digest.base64EncodedString())
    #expect(json["deviceVerificationNonce"] as? String == device.nonce.uuidString.lowercased())
    #expect(json.count == 32)
  }

  @Test func keysThatDoNotApplyAreLeftOut() throws {
    let json = try object(TransactionPayload(.of(.pro), identity: JWS.identity, signedDate: JWS.signedDate))
    let expected: Set = [
      "transactionId", "originalTransactionId", "bundleId", "productId", "purchaseDate", "originalPurchaseDate",
      "quantity", "type", "inAppOwnershipType", "environment", "storefront", "storefrontId", "transactionReason",
      "price", "currency", "appTransactionId", "signedDate",
    ]
    #expect(Set(json.keys) == expected)
  }

  @Test(arguments: [full, .of(.pro), .of(.coins).with { $0.productId = "ü\u{1}\u{1F}日本\t/\u{2028}🎁" }])
  func writtenJSONReadsBackAsTheSamePayload(_ record: TransactionRecord) throws {
    let payload = TransactionPayload(record, identity: JWS.identity, signedDate: JWS.signedDate)
    #expect(try JSONDecoder().decode(TransactionPayload.self, from: payload.json()) == payload)
  }

  /// `json()` names each key by hand; the encoder takes them from the type.
  @Test func writtenJSONIsWhatTheEncoderWrites() throws {
    let device = try DeviceVerification(nonce: UUID(), deviceID: UUID())
    let payload = TransactionPayload(Self.full, identity: JWS.identity, signedDate: JWS.signedDate, device: device)
    let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(payload)) as? NSDictionary
    let written = try JSONSerialization.jsonObject(with: payload.json()) as? NSDictionary
    #expect(written == encoded)
  }

  @Test func storefrontIdIsTheCountrys() {
    #expect(StorefrontID.of("JPN") == "143462")
    #expect(StorefrontID.of("XXX") == StorefrontID.fallback)
  }
}
