/// The keys of Apple's custom purchase options that carry an offer.
enum OfferOptionKey {
  static let promotionalId = "adHocOfferId"
  /// Base64 of the compact JWS.
  static let promotionalSignature = "adHocSignature"
  static let introductoryEligibility = "introOfferEligibilityParam"
}
