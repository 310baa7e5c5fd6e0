import FleetTesting
import Foundation
import Testing

/// What a test can do to a phone, and to its way to the store.
@Suite(.timeLimit(.minutes(3)))
struct FleetFaultTests {
  @Test func storeKitFailsAsLongAsATestSays() async throws {
    try await withFleet(["alice": ["phone"]]) { fleet in
      let phone = fleet.device("phone")
      try await phone.fail(.purchase, with: .networkError, times: 2)
      #expect(try await phone.look().failing == [.purchase])
      #expect(try await phone.buy(Product.lifetime) == .failed)
      #expect(try await phone.buy(Product.lifetime) == .failed)
      #expect(try await phone.buy(Product.lifetime) == .completed)
      #expect(try await phone.look().failing.isEmpty)

      try await phone.fail(.purchase, with: .userCancelled)
      #expect(try await phone.buy(Product.coins) == .cancelled)
      #expect(try await phone.buy(Product.coins) == .cancelled)
      try await phone.works(.purchase)
      #expect(try await phone.buy(Product.coins) == .completed)

      try await phone.fail(.appStoreSync, with: .network(.timedOut), times: 1)
      #expect(try await phone.restore() == .failed)
      #expect(try await phone.restore() == .restored)

      let refusal = await #expect(throws: FleetTestingError.self) {
        try await phone.fail(.purchase, with: .invalidSignature)
      }
      #expect(refusal?.message.contains("'purchase' does not fail with 'invalidSignature'") == true)
    }
  }

  @Test func everyCallAndFailureHasAWordThatTheDeviceKnows() async throws {
    try await withFleet(["alice": ["phone"]]) { fleet in
      let phone = fleet.device("phone")
      for call in StoreKitCall.allCases {
        try await phone.fail(call, with: call == .verification ? .revokedCertificate : .systemError)
      }
      #expect(try await phone.look().failing == Set(StoreKitCall.allCases))
      for failure in [
        StoreKitFailure.invalidQuantity, .productUnavailable, .purchaseNotAllowed, .ineligibleForOffer,
        .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature, .missingOfferParameters,
      ] {
        try await phone.fail(.purchase, with: failure)
      }
      for failure in [StoreKitFailure.duplicateRequest, .refundFailed] {
        try await phone.fail(.refundRequest, with: failure)
      }
      for failure in [
        StoreKitFailure.invalidCertificateChain, .invalidDeviceVerification, .invalidEncoding, .invalidSignature,
        .missingRequiredProperties,
      ] {
        try await phone.fail(.verification, with: failure)
      }
      for call in StoreKitCall.allCases { try await phone.works(call) }
      #expect(try await phone.look().failing.isEmpty)
    }
  }

  @Test func purchasesAreForbiddenInterruptedAndHeldUp() async throws {
    try await withFleet(["alice": ["phone"]]) { fleet in
      let (alice, phone) = (fleet.account("alice"), fleet.device("phone"))
      try await phone.allowPurchases(false)
      #expect(try await phone.look().allowsPurchases == false)
      #expect(try await phone.buy(Product.lifetime) == .failed)
      try await phone.allowPurchases(true)

      try await alice.interruptPurchases(true)
      #expect(try await phone.buy(Product.lifetime) == .awaitingApproval)
      #expect(try await phone.look().phase == .awaitingApproval)
      let pending = try await alice.pendingPurchases()
      #expect(pending.map(\.productID) == [Product.lifetime] && pending.map(\.reason) == [.issue])
      try await alice.interruptPurchases(false)
      try await alice.resolve()
      try await phone.expect("has it") { $0.unlocked == [Product.lifetime] }

      try await phone.interruptPurchases(true)
      #expect(try await phone.buy(Product.coins) == .awaitingApproval)
      try await alice.resolve(Product.coins)
      try await phone.interruptPurchases(false)
      try await fleet.interruptPurchases(true)
      #expect(try await phone.buy(Product.coins) == .awaitingApproval)
      try await fleet.interruptPurchases(false)
      try await alice.resolve()

      try await phone.hold(.restore)
      try await phone.startRestoring()
      try await phone.expect("waits") { $0.waiting[.restore]?.count == 1 }
      try await phone.release(.restore, cancelling: true)
      try await phone.expect("was cancelled") { $0.restore == .cancelled }
    }
  }

  @Test func aBadNetworkAndLostEventsAreSeenAndHealed() async throws {
    try await withFleet(["alice": ["pad", "phone"]], clients: 2) { fleet in
      let (alice, pad, phone) = (fleet.account("alice"), fleet.device("pad"), fleet.device("phone"))
      try await pad.network(
        latency: .milliseconds(0)...(.milliseconds(100)), events: .init(drop: 50, duplicate: 20), seed: 7)
      try await fleet.client(2).network(.init(requests: .init(dropReplies: 30), seed: 8))
      #expect(try await pad.look().hasGoodNetwork == false)
      try await phone.buy(Product.lifetime)
      for device in fleet.devices { try await device.expect("has it") { $0.unlocked == [Product.lifetime] } }
      try await pad.network(.good)
      try await fleet.client(2).network(.good)
      #expect(try await pad.look().hasGoodNetwork)
      let refusal = await #expect(throws: FleetTestingError.self) {
        try await pad.network(events: .init(drop: 101))
      }
      #expect(refusal?.message.contains("101 is no percentage") == true)

      try await fleet.expectAgreement()
      try await pad.loseEvents(1, catchesUp: false)
      try await alice.refund(Product.lifetime, reason: .appIssue)
      try await phone.expect("lost it") { $0.unlocked.isEmpty }
      let failure = await #expect(throws: UnmetExpectation.self) {
        try await fleet.expectAgreement(within: .milliseconds(300))
      }
      #expect(failure?.seen.contains("pad") == true, "\(failure?.seen ?? "")")

      await fleet.client(2).kill()
      try await fleet.client(2).restart()
      try await phone.launch()
      try await phone.tamper(.tampered)
      #expect(try await phone.buy(Product.seasonPass) == .failed)
      try await phone.expect("got a bad copy") { $0.unlocked.isEmpty && $0.unfinished.isEmpty }
    }
  }

  @Test func theAppHearsWhatTheAppStoreHasForItsUser() async throws {
    try await Fleet.run(["alice": ["phone"]], app: .executable("sample-app")) { fleet in
      let phone = fleet.device("phone")
      try await phone.sendMessage(.billingIssue)
      try await phone.expect("hears the message") { $0.message?.contains("message 2") == true }
      try await phone.tapPromotedProduct("com.example.app.lifetime")
      try await phone.expect("hears the wish") { $0.message?.contains("intent com.example.app.lifetime") == true }
    }
  }
}
