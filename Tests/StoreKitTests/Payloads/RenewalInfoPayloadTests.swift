import Foundation
import Shared
import Testing

@Suite struct RenewalInfoPayloadTests {
  private static let full = RenewalInfo.subscription.with { info in
    info.autoRenewProductId = "monthly"
    info.willAutoRenew = false
    info.status = .inGracePeriod
    info.expirationIntent = 2
    info.gracePeriodExpiresDate = TransactionRecord.start
    info.priceIncreaseStatus = 0
    info.nextOffer = AppliedOffer(type: 4, identifier: "back", discountType: "FREE_TRIAL", period: "P1M")
    info.eligibleWinBackOfferIds = ["best", "second"]
    info.appAccountToken = UUID(uuidString: "5F1B0C3A-8F5E-4D3B-9B5B-0A4C6B6F1E11")
  }

  private func object(_ payload: RenewalInfoPayload) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: payload.json()) as? [String: Any])
  }

  @Test func keysAndTypesAreTheStores() throws {
    let json = try object(RenewalInfoPayload(Self.full, identity: JWS.identity, signedDate: JWS.signedDate))
    #expect(json["originalTransactionId"] as? String == "2000000000000100")
    #expect(json["productId"] as? String == "yearly")
    #expect(json["autoRenewProductId"] as? String == "monthly")
    #expect(json["autoRenewStatus"] as? Int == 0)
    #expect(json["expirationIntent"] as? Int == 2)
    #expect(json["isInBillingRetryPeriod"] as? Bool == true)
    #expect(json["gracePeriodExpiresDate"] as? Int64 == 1_780_000_000_000)
    #expect(json["priceIncreaseStatus"] as? Int == 0)
    #expect(json["offerType"] as? Int == 4)
    #expect(json["offerIdentifier"] as? String == "back")
    #expect(json["offerDiscountType"] as? String == "FREE_TRIAL")
    #expect(json["offerPeriod"] as? String == "P1M")
    #expect(json["renewalPrice"] as? Int == 39_990)
    #expect(json["currency"] as? String == "USD")
    #expect(json["renewalDate"] as? Int64 == 1_811_536_000_000)
    #expect(json["recentSubscriptionStartDate"] as? Int64 == 1_780_000_000_000)
    #expect(json["eligibleWinBackOfferIds"] as? [String] == ["best", "second"])
    #expect(json["appAccountToken"] as? String == "5f1b0c3a-8f5e-4d3b-9b5b-0a4c6b6f1e11")
    #expect(json["appTransactionId"] as? String == "704000000000000001")
    #expect(json["environment"] as? String == "Sandbox")
    #expect(json["signedDate"] as? Int64 == 1_790_000_000_123)
    #expect(json.count == 21)
  }

  @Test func keysThatDoNotApplyAreLeftOut() throws {
    let json = try object(RenewalInfoPayload(.subscription, identity: JWS.identity, signedDate: JWS.signedDate))
    let expected: Set = [
      "originalTransactionId", "productId", "autoRenewProductId", "autoRenewStatus", "isInBillingRetryPeriod",
      "renewalPrice", "currency", "renewalDate", "recentSubscriptionStartDate", "appTransactionId", "environment",
      "signedDate",
    ]
    #expect(Set(json.keys) == expected)
  }

  @Test func writtenJSONIsWhatTheEncoderWrites() throws {
    let device = try DeviceVerification(nonce: UUID(), deviceID: UUID())
    let payload = RenewalInfoPayload(Self.full, identity: JWS.identity, signedDate: JWS.signedDate, device: device)
    let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(payload)) as? NSDictionary
    let written = try JSONSerialization.jsonObject(with: payload.json()) as? NSDictionary
    #expect(written == encoded)
    #expect(try JSONDecoder().decode(RenewalInfoPayload.self, from: payload.json()) == payload)
  }
}
