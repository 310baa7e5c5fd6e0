import Foundation
import Shared
import StoreKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct TransactionTests {
  private let daemon = FakeDaemon()

  private func only(_ sequence: () -> Transaction.Transactions) async throws -> VerificationResult<Transaction> {
    let results = await on(daemon) { await sequence().collect() }
    #expect(results.count == 1)
    return try #require(results.first)
  }

  @Test func propertiesComeFromTheSignedPayload() async throws {
    let token = UUID()
    let record = TransactionRecord.yearly.with { record in
      record.appAccountToken = token
      record.offer = AppliedOffer(type: 1, discountType: "FREE_TRIAL", period: "P1W")
      record.transactionReason = .renewal
    }
    daemon.put(record)
    daemon.put(RenewalInfo.subscription)
    let transaction = try await only { Transaction.currentEntitlements }.payloadValue
    #expect(transaction.id == 2_000_000_000_000_100)
    #expect(transaction.originalID == 2_000_000_000_000_100)
    #expect(transaction.productID == "yearly")
    #expect(transaction.productType == .autoRenewable)
    #expect(transaction.appBundleID == "com.example.app")
    #expect(transaction.subscriptionGroupID == "21000000")
    #expect(transaction.webOrderLineItemID == "2000000000000200")
    #expect(transaction.purchaseDate == Date(timeIntervalSince1970: 1_780_000_000))
    #expect(transaction.expirationDate == Date(timeIntervalSince1970: 1_811_536_000))
    #expect(transaction.signedDate == Date(timeIntervalSince1970: 1_790_000_000.123))
    #expect(transaction.price == Decimal(string: "39.99"))
    #expect(transaction.currency?.identifier == "USD")
    #expect(transaction.environment == .sandbox)
    #expect(transaction.reason == .renewal)
    #expect(transaction.ownershipType == .purchased)
    #expect(transaction.appAccountToken == token)
    #expect(transaction.offer?.type == .introductory)
    #expect(transaction.offer?.paymentMode == .freeTrial)
    #expect(transaction.offer?.period == .weekly)
    #expect(transaction.storefront.countryCode == "USA")
    #expect(transaction.storefront.id == "143441")
    #expect(transaction.revocationDate == nil)
    #expect(!transaction.isUpgraded)
  }

  @Test func refundShowsItsReasonAndShare() async throws {
    daemon.put(TransactionRecord.of(.pro).refunded)
    let transaction = try await only { Transaction.all }.payloadValue
    #expect(transaction.revocationDate == Date(timeIntervalSince1970: 1_780_000_000))
    #expect(transaction.revocationReason == .developerIssue)
    #expect(transaction.revocationType == .fullRefund)
    #expect(transaction.revocationPercentage == 100)
  }

  @Test func partsOfTheJWSAreGiven() async throws {
    let record = TransactionRecord.of(.pro)
    let device = try DeviceVerification(nonce: UUID(), deviceID: UUID())
    let jws = JWS.of(record, device: device)
    daemon.put(record, jws: jws)
    let result = try await only { Transaction.all }
    #expect(result.jwsRepresentation == jws)
    #expect(result.headerData == Data(#"{"alg":"ES256"}"#.utf8))
    #expect(result.payloadData == result.unsafePayloadValue.jsonRepresentation)
    #expect(result.signatureData.count == 64)
    #expect(result.signature.rawRepresentation == result.signatureData)
    #expect(result.signedData == Data(jws.prefix(upTo: try #require(jws.lastIndex(of: "."))).utf8))
    #expect(result.deviceVerification == device.digest)
    #expect(result.deviceVerificationNonce == device.nonce)
  }

  @Test(arguments: [
    (VerificationFailure.invalidSignature, VerificationResult<Transaction>.VerificationError.invalidSignature),
    (.revokedCertificate, .revokedCertificate), (.invalidCertificateChain, .invalidCertificateChain),
    (.invalidDeviceVerification, .invalidDeviceVerification), (.invalidEncoding, .invalidEncoding),
    (.missingRequiredProperties, .missingRequiredProperties),
  ])
  func unverifiedCopiesSayWhy(
    _ failure: VerificationFailure, _ expected: VerificationResult<Transaction>.VerificationError
  ) async throws {
    daemon.put(.of(.pro), failure: failure)
    let result = try await only { Transaction.unfinished }
    #expect(throws: expected) { try result.payloadValue }
    #expect(result.unsafePayloadValue.productID == "pro")
    #expect(expected.errorDescription?.isEmpty == false)
  }

  @Test func finishActsOnTheDevicesRecordWhateverThePayloadSays() async throws {
    let record = TransactionRecord.of(.coins, id: 7)
    daemon.put(record, failure: .invalidSignature, jws: JWS.of(.of(.coins, id: 99)))
    let result = try await only { Transaction.unfinished }
    #expect(result.unsafePayloadValue.id == 99)
    await result.unsafePayloadValue.finish()
    #expect(daemon.finished == [TransactionID(7)])
  }

  @Test(arguments: [
    "", "not a jws", "a.b.c", "....", JWS.text(Data("[]".utf8)), JWS.text(Data(#"{"quantity":1}"#.utf8)),
  ])
  func unreadableCopiesShowWhatTheDeviceKnows(_ jws: String) async throws {
    daemon.put(.of(.pro, id: 7), failure: .invalidEncoding, jws: jws)
    let result = try await only { Transaction.unfinished }
    #expect(result.unsafePayloadValue.id == 7)
    #expect(result.unsafePayloadValue.productID == "pro")
    #expect(result.jwsRepresentation == jws)
    #expect(!result.unsafePayloadValue.jsonRepresentation.isEmpty)
  }

  @Test func unknownWordsComeThrough() async throws {
    var payload = TransactionPayload(.of(.pro), identity: JWS.identity, signedDate: JWS.signedDate)
    payload.type = "Rental"
    payload.inAppOwnershipType = OwnershipType(rawValue: "ASSIGNED")
    payload.offerType = 9
    payload.revocationReason = 77
    payload.environment = "Moon"
    daemon.put(.of(.pro), jws: JWS.text(payload.json()))
    let transaction = try await only { Transaction.all }.payloadValue
    #expect(transaction.productType.rawValue == "Rental")
    #expect(transaction.ownershipType.rawValue == "ASSIGNED")
    #expect(transaction.offerType?.rawValue == 9)
    #expect(transaction.revocationReason?.rawValue == 77)
    #expect(transaction.environment.rawValue == "Moon")
  }

  @Test func queriesByProductPassOverOthers() async throws {
    daemon.put(.of(.pro, id: 1))
    daemon.put(.of(.coins, id: 2))
    daemon.put(.of(.pro, id: 3).with { $0.inAppOwnershipType = .familyShared })
    await on(daemon) {
      #expect(await Transaction.all(for: "pro").collect().map(\.unsafePayloadValue.id) == [1, 3])
      #expect(await Transaction.currentEntitlements(for: "pro").collect().count == 2)
      #expect(await Transaction.latest(for: "pro")?.unsafePayloadValue.id == 3)
      #expect(await Transaction.latest(for: "other") == nil)
      #expect(await Transaction.currentEntitlement(for: "pro")?.unsafePayloadValue.id == 1)
      #expect(await Transaction.currentEntitlement(for: "coins") == nil)
    }
  }

  @Test func aQueryIsASnapshotOfWhenItsReadingBegins() async throws {
    daemon.put(.of(.pro, id: 1))
    let sequence = await on(daemon) { Transaction.all }
    daemon.put(.of(.pro, id: 2))
    var iterator = sequence.makeAsyncIterator()
    #expect(await iterator.next()?.unsafePayloadValue.id == 1)
    daemon.put(.of(.pro, id: 3))
    #expect(await iterator.next()?.unsafePayloadValue.id == 2)
    #expect(await iterator.next() == nil)
    #expect(await iterator.next() == nil)
  }

  @Test func everyIteratorOfUpdatesGetsEveryElement() async throws {
    let updates = await on(daemon) { Transaction.updates }
    var first = updates.makeAsyncIterator()
    var second = updates.makeAsyncIterator()
    // Registered when made, not when first asked.
    #expect(daemon.listenerCount == 2)
    for id in 1...3 { daemon.announce(.of(.coins, id: UInt64(id))) }
    for id in 1...3 {
      #expect(await first.next()?.unsafePayloadValue.id == UInt64(id))
      #expect(await second.next()?.unsafePayloadValue.id == UInt64(id))
    }
  }

  @Test func iteratorsOfADeadLaunchEnd() async throws {
    let (updates, statuses, storefronts) = await on(daemon) {
      (Transaction.updates, SubscriptionStatus.updates, Storefront.updates)
    }
    var iterator = updates.makeAsyncIterator()
    var statusIterator = statuses.makeAsyncIterator()
    var storefrontIterator = storefronts.makeAsyncIterator()
    daemon.end()
    #expect(await iterator.next() == nil)
    #expect(await statusIterator.next() == nil)
    #expect(await storefrontIterator.next() == nil)
    var late = updates.makeAsyncIterator()
    #expect(await late.next() == nil)
  }

  @Test func aCancelledListenerEnds() async {
    let updates = await on(daemon) { Transaction.updates }
    let listener = Task { for await _ in updates {} }
    listener.cancel()
    await listener.value
  }

  @Test func equalityIsThatOfThePayload() async throws {
    daemon.put(.of(.pro, id: 1))
    let first = try await only { Transaction.all }
    let again = try await only { Transaction.all }
    #expect(first == again)
    #expect(Set([first, again]).count == 1)
    daemon.put(TransactionRecord.of(.pro, id: 1).refunded)
    #expect(try await only { Transaction.all } != first)
  }

  @Test func statusOfATransactionIsThatOfItsLineage() async throws {
    daemon.put(.yearly)
    daemon.put(RenewalInfo.subscription)
    let transaction = try await only { Transaction.all }.payloadValue
    #expect(await transaction.subscriptionStatus?.state == .subscribed)
  }
}
