@testable import ClientNode
import Foundation
import Shared
import Testing
import Wire

/// Public reports of signed data and of those who check it, between a store and its phones.
struct VerificationReportTests {
  private func payload(_ copy: SignedTransaction) throws -> [String: Any] {
    let json = try CompactJWS(copy.jws).payloadData
    return try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
  }

  /// What a phone of the town says to something that the store itself has signed.
  private func failure(of text: String, in town: Town, device: UUID = UUID(), isBound: Bool = false) throws
    -> VerificationFailure?
  {
    let root = try #require(town.authorities[Town.world]).rootDER
    return CopyVerifier().verify(
      SignedCopyCheck(
        jws: text, subject: .transaction(TransactionID(1)), deviceVerificationId: device,
        bundleId: "com.example.app", environment: "Sandbox", rootCertificate: root, isDeviceBound: isBound))
  }

  private func signed(_ json: String, in town: Town) throws -> String {
    try #require(town.signers[Town.world]).sign(Data(json.utf8)).string
  }

  /// apple/app-store-server-library-swift#71. A missing bundle id is nobody's other app; a different one is.
  @Test func br62OldTransactionsWithoutOptionalFieldsAreGood() throws {
    let town = try Town(["a": "alice"], habits: "sparseTransactions=on")
    try town.buy(.yearly, on: "a")
    try town.set(habits: "sparseTransactions=off")
    try town.buy(.lifetime, on: "a")
    let copies = try town.query(.currentEntitlements, on: "a")
    #expect(copies.map(\.failure) == [nil, nil])
    #expect(try Set(town.entitled("a")) == [.yearly, .lifetime])
    #expect(try town.unfinished("a").isEmpty)
    let old = try payload(try #require(copies.first { $0.record.productId == Item.yearly.id }))
    let new = try payload(try #require(copies.first { $0.record.productId == Item.lifetime.id }))
    let optional = [
      "bundleId", "webOrderLineItemId", "appAccountToken", "price", "currency", "storefront", "offerType",
    ]
    #expect(optional.allSatisfy { old[$0] == nil })
    #expect(new["bundleId"] as? String == "com.example.app" && new["price"] != nil && new["storefront"] != nil)
    let other = #"{"bundleId":"com.example.other","environment":"Sandbox","signedDate":1}"#
    #expect(try failure(of: signed(other, in: town), in: town) == .invalidDeviceVerification)
    #expect(try failure(of: signed(#"{"environment":"Sandbox","signedDate":1}"#, in: town), in: town) == nil)
  }

  /// apple/app-store-server-library-swift#20, tamtamchik/apple-iap-tools#14, RevenueCat/purchases-ios#7012.
  @Test func br63UnknownValuesComeThroughAndTheTransactionCanBeFinished() throws {
    let town = try Town(["a": "alice", "b": "alice"], habits: "unknownRawValues=on")
    for phone in ["a", "b"] { town.phones[phone]?.finishes = false }
    let bought = try town.buy(.yearly, on: "a")
    #expect(try town.entitled("a") == [.yearly])
    let copy = try #require(try town.query(.unfinished, on: "a").first)
    #expect(copy.failure == nil)
    var raw = try payload(copy)
    #expect(raw["inAppOwnershipType"] as? String == "ASSIGNED" && raw["transactionReason"] as? String == "GRANT")
    #expect(raw["offerType"] as? Int == 99)
    // What is known is whole.
    #expect(raw["productId"] as? String == Item.yearly.id)
    #expect(raw["transactionId"] as? String == bought.transactionId.description)
    try town.finish(bought.transactionId, on: "a")
    #expect(try town.unfinished("a").isEmpty)
    try town.refund(.yearly, of: "alice")
    raw = try payload(try #require(try town.query(.all, on: "b").first))
    #expect(raw["revocationReason"] as? Int == 7)
    #expect(try town.entitled("b").isEmpty)
  }

  @Test func br63NewFieldsAndLargeIdsAreReadAndAnUnknownEnvironmentIsRefused() throws {
    let town = try Town(["a": "alice"])
    var record = try town.buy(.lifetime, on: "a")
    record.transactionId = TransactionID(.max)
    func json(_ environment: String) -> String {
      let identity = StoreIdentity(bundleId: "com.example.app", environment: environment)
      let known = TransactionPayload(record, identity: identity, signedDate: Town.start).json()
      let text = String(decoding: known, as: UTF8.self)
      return text.dropLast() + #","futureInfo":{"of":["any",{"depth":1}]},"futureNumber":18446744073709551615}"#
    }
    #expect(try failure(of: signed(json("Sandbox"), in: town), in: town) == nil)
    #expect(try failure(of: signed(json("Moon"), in: town), in: town) == .invalidDeviceVerification)
    let read = try SignedPayload.decode(TransactionPayload.self, from: Data(json("Sandbox").utf8))
    #expect(read.transactionId == TransactionID(.max), "more than a double can hold")
  }

  /// Apple: Transaction.deviceVerification.
  @Test func br64CopiesOfAnotherPhoneAreUnverifiedAndOpenNothing() throws {
    let town = try Town(["a": "alice", "b": "alice", "d": "dora"])
    try town.buy(.yearly, on: "a")
    try town.buy(.yearly, on: "d")
    let disks = try ["a", "b", "d"].map { try #require(town.phones[$0]?.disk.devices[$0]) }
    let nonces = try disks.map { disk in
      let copy = try #require(disk.copies.first { $0.key.isTransaction }?.value)
      return try #require(
        try payload(SignedTransaction(record: disk.records[0], jws: copy.jws, failure: nil))["deviceVerificationNonce"]
          as? String)
    }
    #expect(Set(nonces).count == 3 && nonces.allSatisfy { $0 == $0.lowercased() })
    let stolen = try #require(disks[0].copies.first { $0.key.isTransaction }?.value.jws)
    for (phone, disk) in zip(["b", "d"], disks.dropFirst()) {
      try town.kill(phone)
      var disk = disk
      for subject in disk.copies.keys where subject.isTransaction { disk.copies[subject]?.jws = stolen }
      town.phones[phone]?.disk.devices[phone] = disk
      try town.offline(phone)
      try town.reboot(phone)
      #expect(try town.query(.all, on: phone).map(\.failure) == [.invalidDeviceVerification])
    }
    // The owner's is as good as ever.
    try town.reboot("a")
    #expect(try town.query(.all, on: "a").map(\.failure) == [nil])
    // On the phone that it is bound to it is good, and with another nonce, or none, it is not.
    let device = disks[0].state.deviceVerificationId
    #expect(try failure(of: stolen, in: town, device: device, isBound: true) == nil)
    #expect(try failure(of: stolen, in: town, device: UUID(), isBound: true) == .invalidDeviceVerification)
    let text = String(decoding: try CompactJWS(stolen).payloadData, as: UTF8.self)
    let tampered = text.replacing(nonces[0], with: UUID().uuidString.lowercased())
    #expect(
      try failure(of: signed(tampered, in: town), in: town, device: device, isBound: true) == .invalidDeviceVerification
    )
    // A server's copy is bound to no phone.
    let ofAServer = #"{"bundleId":"com.example.app","environment":"Sandbox","signedDate":1}"#
    #expect(
      try failure(of: signed(ofAServer, in: town), in: town, device: device, isBound: true)
        == .missingRequiredProperties)
  }
}
