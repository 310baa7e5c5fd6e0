import StoreKit

func subscriptionSurface(_ info: Product.SubscriptionInfo, _ groupID: String) async throws {
  func isValue<T: Hashable & Sendable>(_: T) {}
  isValue(info)
  let _: Product.SubscriptionOffer? = info.introductoryOffer
  let _: [Product.SubscriptionOffer] = info.promotionalOffers + info.winBackOffers
  let _: String = info.subscriptionGroupID + info.groupDisplayName
  let _: Product.SubscriptionPeriod = info.subscriptionPeriod
  let _: Int = info.groupLevel
  let _: Bool = await info.isEligibleForIntroOffer
  let _: Bool = await Product.SubscriptionInfo.isEligibleForIntroOffer(for: groupID)
  let _: [Product.SubscriptionInfo.Status] = try await info.status
  let statuses: [Product.SubscriptionInfo.Status] = try await Product.SubscriptionInfo.status(for: groupID)
  let _: SubscriptionStatus? = try await SubscriptionInfo.status(transactionID: UInt64(1))

  for status in statuses {
    isValue(status)
    let state: Product.SubscriptionInfo.RenewalState = status.state
    let _: VerificationResult<Transaction> = status.transaction
    let _: VerificationResult<Product.SubscriptionInfo.RenewalInfo> = status.renewalInfo
    let _: Int = state.rawValue
    let _: String = state.localizedDescription
    let _: Product.SubscriptionInfo.RenewalState = .init(rawValue: state.rawValue)
    switch state {
    case .subscribed, .expired, .inBillingRetryPeriod, .inGracePeriod, .revoked: break
    default: break
    }
  }
  let updates: Product.SubscriptionInfo.Status.Statuses = Product.SubscriptionInfo.Status.updates
  for await status: Product.SubscriptionInfo.Status in updates { isValue(status) }
  typealias Group = (groupID: String, statuses: [Product.SubscriptionInfo.Status])
  let all: AsyncStream<Group> = Product.SubscriptionInfo.Status.all
  for await (groupID, statuses) in all { let _: (String, [SubscriptionStatus]) = (groupID, statuses) }
  let _: [SubscriptionRenewalState] = [.subscribed]
  let _: SubscriptionPeriod = .monthly
}

func renewalInfoSurface(_ info: SubscriptionRenewalInfo) {
  func isValue<T: Hashable & Sendable & CustomDebugStringConvertible>(_: T) {}
  isValue(info)
  let _: Data = info.jsonRepresentation
  let _: UInt64 = info.originalTransactionID
  let _: String = info.currentProductID
  let _: Bool = info.willAutoRenew
  let _: String? = info.autoRenewPreference
  let reason: Product.SubscriptionInfo.RenewalInfo.ExpirationReason? = info.expirationReason
  let _: Int? = reason?.rawValue
  let _: String? = reason?.localizedDescription
  let _: [SubscriptionRenewalInfo.ExpirationReason] = [
    .autoRenewDisabled, .billingError, .didNotConsentToPriceIncrease, .productUnavailable, .unknown,
  ]
  switch info.priceIncreaseStatus {
  case .noIncreasePending, .pending, .agreed: break
  }
  let _: String = info.priceIncreaseStatus.localizedDescription
  let _: Bool = info.isInBillingRetry
  let _: Date? = info.gracePeriodExpirationDate
  let _: Transaction.Offer? = info.offer
  let _: Transaction.OfferType? = info.offerType
  let _: String? = info.offerID
  let _: String? = info.offerPaymentModeStringRepresentation
  let _: String? = info.offerPeriodStringRepresentation
  let _: AppStore.Environment = info.environment
  let _: String = info.environmentStringRepresentation
  let _: Date = info.recentSubscriptionStartDate
  let _: Date? = info.renewalDate
  let _: Decimal? = info.renewalPrice
  let _: Locale.Currency? = info.currency
  let _: String? = info.currencyCode
  let _: [String] = info.eligibleWinBackOfferIDs
  let _: Data = info.deviceVerification
  let _: UUID = info.deviceVerificationNonce
  let _: Date = info.signedDate
  let _: UUID? = info.appAccountToken
  let _: String = info.appTransactionID
  if let commerce: SubscriptionRenewalInfo.AdvancedCommerceInfo = info.advancedCommerceInfo {
    let _: String = commerce.consistencyToken + commerce.requestReferenceID + commerce.taxCode
    let _: String = commerce.description + commerce.displayName
    let _: SubscriptionPeriod = commerce.period
    let _: String? = commerce.items.first?.details.sku
    let _: Decimal? = commerce.items.first?.priceIncreaseInfo?.price
    let _: [String]? = commerce.items.first?.priceIncreaseInfo?.dependentSKUs
    if commerce.items.first?.priceIncreaseInfo?.status == .accepted {}
  }
}

func offerSurface(_ offer: Product.SubscriptionOffer) {
  func isValue<T: Hashable & Sendable>(_: T) {}
  isValue(offer)
  let _: String? = offer.id
  let _: Product.SubscriptionOffer.OfferType = offer.type
  let _: [Product.SubscriptionOffer.OfferType] = [.introductory, .promotional, .winBack]
  let _: String = offer.type.rawValue + offer.type.localizedDescription
  let _: Decimal = offer.price
  let _: String = offer.displayPrice
  let _: Product.SubscriptionPeriod = offer.period
  let _: Int = offer.periodCount
  let mode: Product.SubscriptionOffer.PaymentMode = offer.paymentMode
  let _: String = mode.rawValue + mode.localizedDescription
  switch mode {
  case .freeTrial, .payAsYouGo, .payUpFront: break
  default: break
  }
  var signature = Product.SubscriptionOffer.Signature(keyID: "k", nonce: UUID(), timestamp: 1, signature: Data())
  signature.keyID = "l"
  signature.timestamp = 2
  signature.nonce = UUID()
  signature.signature = Data([1])
  isValue(signature)
}

func periodSurface(_ period: Product.SubscriptionPeriod, _ product: Product) {
  func isValue<T: Hashable & Sendable & CustomDebugStringConvertible>(_: T) {}
  isValue(period)
  isValue(period.unit)
  let _: Int = period.value
  switch period.unit {
  case .day, .week, .month, .year: break
  @unknown default: break
  }
  let _: Bool = period.unit < .year
  let _: String = period.unit.localizedDescription
  let _: String = period.unit.formatted(product.subscriptionPeriodUnitFormatStyle)
  let _: String = period.unit.formatted(product.subscriptionPeriodUnitFormatStyle.locale(.current))
  let _: Range<Date> = period.dateRange()
  let _: Range<Date> = period.dateRange(referenceDate: Date())
  let _: String = period.formatted(product.subscriptionPeriodFormatStyle)
  let _: String = period.formatted(product.subscriptionPeriodFormatStyle, referenceDate: Date())
  let _: String = period.formatted(.units(allowed: [.days]))
  let _: DateComponents = DateComponents(subscriptionPeriod: period)
  let _: [Product.SubscriptionPeriod] = [
    .weekly, .monthly, .yearly, .everyThreeDays, .everyTwoWeeks, .everyTwoMonths, .everyThreeMonths, .everySixMonths,
  ]
}
