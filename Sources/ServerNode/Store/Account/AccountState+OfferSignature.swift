import Foundation
import Shared
import Wire

/// What a purchase's offer says, and whether the developer's server has signed it.
extension AccountState {
  /// Apple: a signature is valid for 24 hours.
  private static let signatureLifetimeMilliseconds: Int64 = 24 * 3_600_000
  /// How far a server's clock may be ahead of the store's.
  private static let clockSkewMilliseconds: Int64 = 5 * 60_000

  /// Finds the offer in the catalogue. Signatures are not looked at.
  func terms(of purchase: Purchase, _ product: CatalogProduct) throws(WireError) -> OfferTerms {
    switch purchase.offer {
    case nil: return OfferTerms()
    case .promotional(let signed): return OfferTerms(offer: try promotional(signed.offerId, of: product))
    case .promotionalJWS(let offerId, _): return OfferTerms(offer: try promotional(offerId, of: product))
    case .introductoryEligibility(let jws):
      guard product.subscription != nil else { throw noSuchOffer("introductory", of: product) }
      guard let text = try? CompactJWS(jws),
        let claims = try? JSONDecoder().decode(OfferClaims.self, from: text.payloadData),
        let allows = claims.allowIntroductoryOffer
      else { throw .badSignature("it is no JWS with 'allowIntroductoryOffer'") }
      return OfferTerms(allowsIntroductory: allows)
    case .winBack(let offerId, let price):
      guard !offerId.isEmpty else { throw .missingParameter("id") }
      guard let offer = product.subscription?.winBackOffers.first(where: { $0.id == offerId }) else {
        throw noSuchOffer(offerId, of: product)
      }
      guard offer.priceMilliunits == price else {
        throw .refused(
          .invalidOfferPrice,
          "offer '\(offerId)' costs \(Milliunits.text(offer.priceMilliunits)), not \(Milliunits.text(price))")
      }
      return OfferTerms(offer: offer)
    }
  }

  private func promotional(_ offerId: String, of product: CatalogProduct) throws(WireError) -> SubscriptionOffer {
    guard !offerId.isEmpty else { throw .missingParameter("id") }
    guard let offer = product.subscription?.promotionalOffers.first(where: { $0.id == offerId }) else {
      throw noSuchOffer(offerId, of: product)
    }
    return offer
  }

  private func noSuchOffer(_ id: String, of product: CatalogProduct) -> WireError {
    .refused(.invalidOfferIdentifier, "'\(product.id)' has no offer '\(id)' of this kind in the catalogue")
  }

  /// Checks the signature.
  /// - Returns: The nonce that it uses up; nil for an offer that needs no signature.
  func verifiedNonce(of purchase: Purchase, in context: StoreContext) throws(WireError) -> UUID? {
    let nonce: UUID
    switch purchase.offer {
    case nil, .winBack: return nil
    case .promotional(let signed):
      nonce = signed.nonce
      try check(signed, of: purchase, in: context)
    case .promotionalJWS(let offerId, let jws):
      let claims = try claims(of: jws, OfferClaims.promotionalOffer, purchase, in: context)
      nonce = claims.nonce
      guard claims.offerIdentifier == offerId else { throw .badSignature("it is for another offer") }
    case .introductoryEligibility(let jws):
      let claims = try claims(of: jws, OfferClaims.introductoryOfferEligibility, purchase, in: context)
      nonce = claims.nonce
      guard claims.transactionId != nil else { throw .badSignature("'transactionId' is missing") }
    }
    // The same request asked again is no second use.
    if let use = usedOfferNonces[nonce], use.request == nil || use.request != context.request?.uuid {
      throw .badSignature("its nonce \(nonce.uuidString.lowercased()) has been used")
    }
    return nonce
  }

  private func check(
    _ signed: PromotionalOfferSignature, of purchase: Purchase, in context: StoreContext
  ) throws(WireError) {
    guard !signed.keyId.isEmpty else { throw .missingParameter("key id") }
    guard !signed.signature.isEmpty else { throw .missingParameter("signature") }
    let key = try offersKey(in: context)
    guard signed.keyId == key.id else { throw .badSignature("the world has no offers key '\(signed.keyId)'") }
    let message = PromotionalOfferMessage(
      bundleId: context.world.bundleId, keyId: key.id, productId: purchase.productId, offerId: signed.offerId,
      appAccountToken: purchase.appAccountToken, nonce: signed.nonce, timestamp: signed.timestamp)
    guard key.isValid(signed.signature, of: message.data) else {
      throw .badSignature("it does not fit the purchase's parameters")
    }
    try checkAge(signed.timestamp, in: context)
  }

  private func claims(
    of jws: String, _ audience: String, _ purchase: Purchase, in context: StoreContext
  ) throws(WireError) -> OfferClaims {
    guard !jws.isEmpty else { throw .missingParameter("signature") }
    let key = try offersKey(in: context)
    let payload: Data
    do { payload = try key.payload(of: jws) } catch {
      throw .badSignature("it is no JWS in ES256 that key '\(key.id)' has signed (\(error.rawValue))")
    }
    let claims: OfferClaims
    do { claims = try JSONDecoder().decode(OfferClaims.self, from: payload) } catch {
      throw .badSignature("its claims cannot be read: \(DecodingText.of(error))")
    }
    guard claims.aud == audience else { throw .badSignature("expected 'aud' to be '\(audience)'") }
    guard claims.bid == context.world.bundleId else {
      throw .badSignature("expected 'bid' to be '\(context.world.bundleId)'")
    }
    guard !claims.iss.isEmpty else { throw .badSignature("'iss' is empty") }
    guard claims.productId == purchase.productId else { throw .badSignature("it is for another product") }
    if let id = claims.transactionId, id != profile?.appTransactionId {
      guard TransactionID(id).flatMap({ history[$0] }) != nil else {
        throw .badSignature("its 'transactionId' is not the customer's")
      }
    }
    let (milliseconds, isTooLarge) = claims.iat.multipliedReportingOverflow(by: 1_000)
    guard !isTooLarge else { throw .badSignature("'iat' is no time in seconds") }
    try checkAge(milliseconds, in: context)
    return claims
  }

  private func checkAge(_ signedAt: Int64, in context: StoreContext) throws(WireError) {
    let now = context.now.milliseconds
    let valid = (now - Self.signatureLifetimeMilliseconds)...(now + Self.clockSkewMilliseconds)
    guard valid.contains(signedAt) else {
      throw .badSignature("it is not from the 24 hours before \(context.now)")
    }
  }

  private func offersKey(in context: StoreContext) throws(WireError) -> OffersKey {
    guard let key = context.world.offersKey else {
      throw WireError(.unavailable, "the offers key of world '\(context.world.world)' is not open")
    }
    return key
  }
}

extension WireError {
  fileprivate static func badSignature(_ why: String) -> WireError {
    .refused(.invalidOfferSignature, "the offer's signature is refused: \(why)")
  }

  fileprivate static func missingParameter(_ name: String) -> WireError {
    .refused(.missingOfferParameters, "the offer's \(name) is missing")
  }
}
