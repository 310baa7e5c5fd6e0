import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// What is signed as a notification that no account's event brings: the ends of an extension for all customers.
@Suite struct NotificationSigningTests {
  private func object(_ notification: StoreNotification, environment: String = "Sandbox") throws -> [String: Any] {
    let signer = try JWSSigner(authority: try CertificateAuthority(world: "w"))
    let job = SigningJob(
      subject: .notification(notification, uuid: UUID()), bundleId: "com.example.app", environment: environment,
      signedDate: StoreTime(milliseconds: 7), device: nil)
    let payload = try CompactJWS(try job.signed(by: signer)).payloadData
    return try #require(try JSONSerialization.jsonObject(with: payload) as? [String: Any])
  }

  @Test func summaryStandsInThePlaceOfData() throws {
    let summary = ExtensionSummary(
      requestIdentifier: "R1", productId: "p", storefrontCountryCodes: ["USA"], succeededCount: 40, failedCount: 2)
    let told = try object(.extended(summary), environment: "Production")
    #expect(told["notificationType"] as? String == "RENEWAL_EXTENSION" && told["subtype"] as? String == "SUMMARY")
    #expect(told["data"] == nil)
    let inner = try #require(told["summary"] as? [String: Any])
    #expect(inner["requestIdentifier"] as? String == "R1" && inner["productId"] as? String == "p")
    #expect(inner["succeededCount"] as? Int == 40 && inner["failedCount"] as? Int == 2)
    #expect(inner["storefrontCountryCodes"] as? [String] == ["USA"])
    #expect(inner["environment"] as? String == "Production" && inner["bundleId"] as? String == "com.example.app")
    #expect(inner["appAppleId"] as? Int64 == StoreIdentity(bundleId: "com.example.app", environment: "Production").appAppleId)
  }

  @Test func failureIsAboutOneSubscription() throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    let told = try object(.extensionFailed(of: try #require(stage.records.first), try #require(stage.info())))
    #expect(told["notificationType"] as? String == "RENEWAL_EXTENSION" && told["subtype"] as? String == "FAILURE")
    let data = try #require(told["data"] as? [String: Any])
    #expect(data["signedTransactionInfo"] != nil && data["signedRenewalInfo"] != nil && data["status"] as? Int == 1)
    #expect(told["summary"] == nil && data["appAppleId"] == nil)
  }
}
