import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// What the store thinks of an offer's signature: a refused one sells nothing.
@Suite struct OfferSignatureTests {
  private static let token = UUID()

  struct Variant: CustomTestStringConvertible, Sendable {
    var name: String
    var refusal: Refusal?
    var make: @Sendable (AccountStage) throws -> Purchase

    init(_ name: String, _ refusal: Refusal?, _ make: @escaping @Sendable (AccountStage) throws -> Purchase) {
      self.name = name
      self.refusal = refusal
      self.make = make
    }

    var testDescription: String { name }
  }

  private static func purchase(_ offer: PurchaseOffer, token: UUID? = nil) -> Purchase {
    Purchase(productId: "pro.monthly", appAccountToken: token, offer: offer)
  }

  private static func changed(
    _ stage: AccountStage, token: UUID? = nil, _ change: (inout PromotionalOfferSignature) -> Void
  ) throws -> Purchase {
    var signed = try stage.signed("promo.free", token: token)
    change(&signed)
    return purchase(.promotional(signed), token: token)
  }

  private static func base64(_ data: Data) -> Data { Data(data.base64EncodedString().utf8) }

  private static let hour: Int64 = 3_600_000

  static let v1: [Variant] = [
    Variant("as it should be", nil) { try changed($0) { _ in } },
    Variant("with a token", nil) { try changed($0, token: token) { _ in } },
    Variant("signature in base64", .invalidOfferSignature) { try changed($0) { $0.signature = base64($0.signature) } },
    Variant("signature in base64 twice", .invalidOfferSignature) {
      try changed($0) { $0.signature = base64(base64($0.signature)) }
    },
    Variant("signed in upper case", .invalidOfferSignature) { stage in
      let key = try #require(stage.world.offersKey)
      let nonce = try #require(UUID(uuidString: "AABBCCDD-4455-6677-8899-AABBCCDDEEFF"))
      let timestamp = stage.now.milliseconds
      let text = [
        "com.example.app", key.id, "pro.monthly", "promo.free", "", nonce.uuidString, "\(timestamp)",
      ].joined(separator: "\u{2063}")
      let signature = PromotionalOfferSignature(
        offerId: "promo.free", keyId: key.id, nonce: nonce, timestamp: timestamp,
        signature: try key.sign(Data(text.utf8)))
      return purchase(.promotional(signature))
    },
    Variant("signed with a token, bought without", .invalidOfferSignature) {
      purchase(.promotional(try $0.signed("promo.free", token: token)))
    },
    Variant("signed without a token, bought with one", .invalidOfferSignature) {
      purchase(.promotional(try $0.signed("promo.free")), token: token)
    },
    Variant("24 hours old", nil) {
      purchase(.promotional(try $0.signed("promo.free", at: $0.now.advanced(by: -24 * hour))))
    },
    Variant("25 hours old", .invalidOfferSignature) {
      purchase(.promotional(try $0.signed("promo.free", at: $0.now.advanced(by: -25 * hour))))
    },
    Variant("from tomorrow", .invalidOfferSignature) {
      purchase(.promotional(try $0.signed("promo.free", at: $0.now.advanced(by: 24 * hour))))
    },
    Variant("for another product", .invalidOfferSignature) {
      purchase(.promotional(try $0.signed("promo.free", of: "basic.monthly")))
    },
    Variant("for another offer", .invalidOfferSignature) {
      try changed($0) { $0.offerId = "promo.pay" }
    },
    Variant("another timestamp", .invalidOfferSignature) { try changed($0) { $0.timestamp += 1 } },
    Variant("of another key", .invalidOfferSignature) {
      purchase(.promotional(try $0.signed("promo.free", key: OffersKey.generate(id: "ABCDE12345"))))
    },
    Variant("of an unknown key id", .invalidOfferSignature) {
      purchase(.promotional(try $0.signed("promo.free", key: OffersKey.generate(id: "OTHER"))))
    },
    Variant("an offer that is not there", .invalidOfferIdentifier) {
      purchase(.promotional(try $0.signed("promo.none")))
    },
    Variant("an offer of another kind", .invalidOfferIdentifier) {
      purchase(.promotional(try $0.signed("return.free")))
    },
    Variant("an offer of another product", .invalidOfferIdentifier) {
      purchase(.promotional(try $0.signed("promo.lower")))
    },
    Variant("no signature", .missingOfferParameters) { try changed($0) { $0.signature = Data() } },
    Variant("no key id", .missingOfferParameters) { try changed($0) { $0.keyId = "" } },
    Variant("no offer id", .missingOfferParameters) { try changed($0) { $0.offerId = "" } },
  ]

  private static func claimed(
    _ stage: AccountStage, key: OffersKey? = nil, _ change: (inout OfferClaims) -> Void
  ) throws -> Purchase {
    let jws = try stage.jws(stage.claims("promo.free", change: change), key: key)
    return purchase(.promotionalJWS(offerId: "promo.free", jws: jws))
  }

  private static func raw(_ stage: AccountStage, _ payload: String) throws -> Purchase {
    let jws = try #require(stage.world.offersKey).jws(Data(payload.utf8)).string
    return purchase(.promotionalJWS(offerId: "promo.free", jws: jws))
  }

  static let v2: [Variant] = [
    Variant("as it should be", nil) { try claimed($0) { _ in } },
    Variant("a transaction of the customer", nil) { stage in
      try claimed(stage) { $0.transactionId = stage.records.first?.transactionId.description }
    },
    Variant("the customer's appTransactionId", nil) { try claimed($0) { $0.transactionId = "71" } },
    Variant("another customer's transaction", .invalidOfferSignature) {
      try claimed($0) { $0.transactionId = "2000000009000001" }
    },
    Variant("a transaction id that is none", .invalidOfferSignature) { try claimed($0) { $0.transactionId = "x" } },
    Variant("another audience", .invalidOfferSignature) {
      try claimed($0) { $0.aud = OfferClaims.introductoryOfferEligibility }
    },
    Variant("another app", .invalidOfferSignature) { try claimed($0) { $0.bid = "com.example.other" } },
    Variant("another product", .invalidOfferSignature) { try claimed($0) { $0.productId = "pro.yearly" } },
    Variant("another offer", .invalidOfferSignature) { try claimed($0) { $0.offerIdentifier = "promo.pay" } },
    Variant("no offer", .invalidOfferSignature) { try claimed($0) { $0.offerIdentifier = nil } },
    Variant("no issuer", .invalidOfferSignature) { try claimed($0) { $0.iss = "" } },
    Variant("25 hours old", .invalidOfferSignature) { try claimed($0) { $0.iat -= 25 * 3_600 } },
    Variant("from tomorrow", .invalidOfferSignature) { try claimed($0) { $0.iat += 24 * 3_600 } },
    Variant("a time beyond all", .invalidOfferSignature) { try claimed($0) { $0.iat = .max } },
    Variant("of another key", .invalidOfferSignature) {
      try claimed($0, key: OffersKey.generate(id: "ABCDE12345")) { _ in }
    },
    Variant("of another key id", .invalidOfferSignature) {
      let key = try #require($0.world.offersKey)
      return try claimed($0, key: OffersKey(id: "OTHER", privateKey: key.privateKeyPEM())) { _ in }
    },
    Variant("claims missing", .invalidOfferSignature) { try raw($0, "{}") },
    Variant("no JSON", .invalidOfferSignature) { try raw($0, "no") },
    Variant("no JWS", .invalidOfferSignature) { _ in
      purchase(.promotionalJWS(offerId: "promo.free", jws: "a.b"))
    },
    Variant("no JWS at all", .missingOfferParameters) { _ in
      purchase(.promotionalJWS(offerId: "promo.free", jws: ""))
    },
    Variant("no offer id", .missingOfferParameters) {
      purchase(.promotionalJWS(offerId: "", jws: try $0.jws($0.claims(""))))
    },
  ]

  /// BR-40: only what is signed and encoded as Apple asks is sold; everything else is refused by its name, and makes no
  /// transaction.
  @Test(arguments: v1 + v2)
  func br40SignatureIsCheckedForReal(variant: Variant) throws {
    var stage = try AccountStage.lapsed()
    let before = stage.records
    let purchase = try variant.make(stage)
    do throws(WireError) {
      try stage.play(.purchase(purchase))
      #expect(variant.refusal == nil)
      #expect(stage.records.last?.offer?.identifier == "promo.free")
      #expect(stage.records.count == before.count + 1)
    } catch {
      #expect(error.refusal == variant.refusal)
      #expect(stage.records == before)
      #expect(!error.message.isEmpty)
    }
  }

  @Test func br40LettersOfUUIDsCountInEitherCase() throws {
    var stage = try AccountStage.lapsed()
    let signed = try stage.signed("promo.free", token: Self.token)
    let json = String(decoding: WireJSON.encode(PurchaseOffer.promotional(signed)), as: UTF8.self)
    let nonce = signed.nonce.uuidString
    let lower = json.replacingOccurrences(of: nonce, with: nonce.lowercased())
    let read = try WireJSON.decode(PurchaseOffer.self, from: Data(lower.utf8))
    try stage.buy(with: read, token: Self.token)
    #expect(stage.records.last?.offer?.identifier == "promo.free")
  }

  @Test func br40OfferIsNotForWhoNeverSubscribed() throws {
    var stage = try AccountStage()
    #expect(stage.refusal(.promotional(try stage.signed("promo.free"))) == .ineligibleForOffer)
    #expect(stage.records.isEmpty)
    try stage.buy("news.weekly")
    #expect(stage.refusal(.promotional(try stage.signed("promo.free"))) == .ineligibleForOffer, "groups do not meet")
  }

  @Test func br40NonceIsForOnePurchaseInEitherForm() throws {
    var stage = try AccountStage.lapsed()
    let nonce = UUID()
    try stage.buy(with: .promotional(try stage.signed("promo.free", nonce: nonce)))
    #expect(stage.refusal(.promotional(try stage.signed("promo.free", nonce: nonce))) == .invalidOfferSignature)
    let jws = try stage.jws(stage.claims("promo.free") { $0.nonce = nonce })
    #expect(stage.refusal(.promotionalJWS(offerId: "promo.free", jws: jws)) == .invalidOfferSignature)
  }

  @Test func signatureIsUsedUpByAPurchaseThatFails() throws {
    var stage = try AccountStage()
    let signed = try stage.signed("promo.free")
    #expect(stage.refusal(.promotional(signed)) == .ineligibleForOffer)
    try stage.buy("pro.monthly")
    #expect(stage.refusal(.promotional(signed)) == .invalidOfferSignature)
    #expect(stage.info()?.nextOffer == nil)
  }

  @Test func wrongSignatureUsesUpNothing() throws {
    var stage = try AccountStage.lapsed()
    let good = try stage.signed("promo.free")
    var bad = good
    bad.signature = Data([1, 2, 3])
    #expect(stage.refusal(.promotional(bad)) == .invalidOfferSignature)
    #expect(stage.state.usedOfferNonces.isEmpty)
    #expect(stage.refusal(.promotional(good)) == nil)
  }

  @Test func offerOnWhatIsNoSubscriptionIsNotThere() throws {
    var stage = try AccountStage.lapsed()
    for offer in [
      PurchaseOffer.promotional(try stage.signed("promo.free", of: "coins")),
      .winBack(offerId: "return.free", priceMilliunits: 0), try stage.eligibility(true, of: "coins"),
    ] {
      #expect(stage.refusal(offer, of: "coins") == .invalidOfferIdentifier)
    }
  }
}
