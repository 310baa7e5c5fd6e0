import StoreKit

func appTransactionSurface() async throws {
  let result: VerificationResult<AppTransaction> = try await AppTransaction.shared
  let _: VerificationResult<AppTransaction> = try await AppTransaction.refresh()
  let app: AppTransaction = result.unsafePayloadValue
  func isValue<T: Hashable & Sendable & CustomDebugStringConvertible>(_: T) {}
  isValue(app)
  let _: [Data] = [app.jsonRepresentation, app.deviceVerification]
  let _: [UInt64?] = [app.appID, app.appVersionID]
  let _: String = app.appTransactionID + app.appVersion + app.bundleID + app.originalAppVersion
  let _: AppStore.Environment = app.environment
  let _: [Date] = [app.originalPurchaseDate, app.signedDate]
  let _: Date? = app.preorderDate
  let _: AppStore.Platform = app.originalPlatform
  let _: String = app.originalPlatformStringRepresentation
  let _: UUID = app.deviceVerificationNonce
  let _: String = result.jwsRepresentation
  let _: P256.Signing.ECDSASignature = result.signature
  let _: [Data] = [result.headerData, result.payloadData, result.signatureData, result.signedData]
  let _: Date = result.signedDate
  let _: (Data, UUID) = (result.deviceVerification, result.deviceVerificationNonce)
}

@MainActor
func appStoreSurface() async throws {
  let _: Bool = AppStore.canMakePayments
  let _: UUID? = AppStore.deviceVerificationID
  let _: Int? = await AppStore.ageRatingCode
  try await AppStore.sync()
  let _: [AppStore.Environment] = [.production, .sandbox, .xcode, AppStore.Environment(rawValue: "Beta")]
  let _: [AppStore.Platform] = [.iOS, .macOS, .tvOS, .visionOS, AppStore.Platform(rawValue: "watchOS")]
  try await AppStore.showManageSubscriptions()
  try await AppStore.showManageSubscriptions(subscriptionGroupID: "g")
  try await AppStore.showManageSubscriptions(in: "scene")
  try await AppStore.showManageSubscriptions(in: "scene", subscriptionGroupID: "g")
  try await AppStore.presentOfferCodeRedeemSheet()
  try await AppStore.presentOfferCodeRedeemSheet(in: "scene")
  AppStore.requestReview()
  AppStore.requestReview(in: "scene")
  SKPaymentQueue.default().presentCodeRedemptionSheet()
  SKStoreReviewController.requestReview()
}

func storefrontSurface() async {
  if let storefront: Storefront = await Storefront.current {
    func isValue<T: Identifiable & Sendable>(_: T) where T.ID == String {}
    isValue(storefront)
    let _: String = storefront.id + storefront.countryCode
    let _: Locale.Currency? = storefront.currency
  }
  for await storefront: Storefront in Storefront.updates { _ = storefront.countryCode }
}

@MainActor
func messageSurface() async throws {
  for await message: Message in Message.messages {
    let _: Set<Message> = [message]
    let reason: Message.Reason = message.reason
    let _: [Message.Reason] = [.generic, .priceIncreaseConsent, .billingIssue, .winBackOffer]
    let _: (Int, String) = (reason.rawValue, reason.localizedDescription)
    try message.display()
    try message.display(in: "scene")
  }
}

func intentSurface() async {
  for await intent: PurchaseIntent in PurchaseIntent.intents {
    func isValue<T: Identifiable & Equatable & Sendable>(_: T) where T.ID == Product.ID {}
    isValue(intent)
    let _: Product = intent.product
    let _: Product.SubscriptionOffer? = intent.offer
    let _: Product.ID = intent.id
  }
}

func externalSurface(_ url: URL) async throws {
  let _: [Bool] = [
    await ExternalPurchase.canPresent, await ExternalPurchaseLink.canOpen, await ExternalPurchaseCustomLink.isEligible,
    await ExternalLinkAccount.canOpen,
  ]
  let _: [URL]? = await ExternalPurchaseLink.eligibleURLs
  switch try await ExternalPurchase.presentNoticeSheet() {
  case .cancelled: break
  case .continuedWithExternalPurchaseToken(let token):
    let _: String = token
  @unknown default: break
  }
  try await ExternalPurchaseLink.open(url: url)
  let _: ExternalPurchaseCustomLink.NoticeResult = try await ExternalPurchaseCustomLink.showNotice(type: .browser)
  let _: String? = try await ExternalPurchaseCustomLink.token(for: "ACQUISITION")?.value
}
