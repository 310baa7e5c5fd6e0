// Every declaration with its type, as an app may write it: what this file needs is what must not change. It imports
// StoreKit alone, and is compiled in Swift 5 mode too.
import StoreKit

@MainActor
func productSurface(_ product: Product) async throws {
  func isValue<T: Identifiable & Hashable & Sendable & CustomDebugStringConvertible>(_: T) where T.ID == String {}
  isValue(product)
  let _: Data = product.jsonRepresentation
  let _: String = product.id + product.displayName + product.description + product.displayPrice
  let _: Product.ProductType = product.type
  let _: Decimal = product.price
  let _: Bool = product.isFamilyShareable
  let _: Product.SubscriptionInfo? = product.subscription
  let _: Decimal.FormatStyle.Currency = product.priceFormatStyle
  let _: String = product.price.formatted(product.priceFormatStyle)
  let _: Product.PeriodFormatStyle = product.subscriptionPeriodFormatStyle
  let _: Product.SubscriptionPeriod.Unit.FormatStyle = product.subscriptionPeriodUnitFormatStyle
  let _: VerificationResult<Transaction>? = await product.latestTransaction
  let _: VerificationResult<Transaction>? = await product.currentEntitlement
  let _: Transaction.Transactions = product.currentEntitlements

  let _: [Product] = try await Product.products(for: ["a", "b"])
  let _: [Product] = try await Product.products(for: Set(["a"]))

  let result: Product.PurchaseResult = try await product.purchase()
  let _: Product.PurchaseResult = try await product.purchase(options: [.quantity(2)])
  let _: Product.PurchaseResult = try await product.purchase(confirmIn: Scene())
  let _: Product.PurchaseResult = try await product.purchase(confirmIn: Scene(), options: [])
  switch result {
  case .success(let verification):
    let _: VerificationResult<Transaction> = verification
  case .userCancelled, .pending: break
  @unknown default: break
  }
  // Tutorials have the plain form too, which must not be warned about either; within the package the compiler knows that
  // there are no other cases.
  #if APP
    switch result {
    case .success, .userCancelled, .pending: break
    default: break
    }
  #endif

  for type in [Product.ProductType.consumable, .nonConsumable, .nonRenewable, .autoRenewable] {
    let _: String = type.rawValue + type.localizedDescription
    let _: Product.ProductType = Product.ProductType(rawValue: type.rawValue)
  }
}

/// What stands for a `UIWindowScene` where there is none.
private final class Scene {}

func purchaseOptionSurface(_ token: UUID, _ offer: Product.SubscriptionOffer) {
  var options: Set<Product.PurchaseOption> = [
    .appAccountToken(token),
    .custom(key: "a", value: "text"), .custom(key: "b", value: 1.5), .custom(key: "c", value: true),
    .custom(key: "d", value: Data()),
    .onStorefrontChange { (storefront: Storefront) -> Bool in storefront.countryCode == "USA" },
    .onStorefrontChange(shouldContinuePurchase: { _ in true }),
    .promotionalOffer(offerID: "o", keyID: "k", nonce: token, signature: Data(), timestamp: 1),
    .promotionalOffer(
      offerID: "o",
      signature: Product.SubscriptionOffer.Signature(keyID: "k", nonce: token, timestamp: 1, signature: Data())),
    .quantity(3),
    .simulatesAskToBuyInSandbox(true),
    .winBackOffer(offer),
    .introductoryOfferEligibility(compactJWS: "a.b.c"),
  ]
  let promotional: [Product.PurchaseOption] = Product.PurchaseOption.promotionalOffer("o", compactJWS: "a.b.c")
  options.formUnion(promotional)
  let _: String = options.map(\.debugDescription).joined()
}

func errorSurface(_ error: any Error) {
  if let error = error as? Product.PurchaseError {
    let texts: [String?] = [error.errorDescription, error.failureReason, error.recoverySuggestion]
    _ = texts
    switch error {
    case .invalidQuantity, .productUnavailable, .purchaseNotAllowed, .ineligibleForOffer, .invalidOfferIdentifier,
      .invalidOfferPrice, .invalidOfferSignature, .missingOfferParameters:
      break
    @unknown default: break
    }
    let _: Set<Product.PurchaseError> = [error]
  }
  if let error = error as? StoreKitError {
    let texts: [String?] = [error.errorDescription, error.failureReason, error.recoverySuggestion]
    _ = texts
    switch error {
    case .unknown, .userCancelled, .notAvailableInStorefront, .notEntitled, .unsupported: break
    case .networkError(let underlying):
      let _: URLError = underlying
    case .systemError(let underlying):
      let _: any Error = underlying
    @unknown default: break
    }
  }
  if let error = error as? Transaction.RefundRequestError {
    switch error {
    case .duplicateRequest, .failed: break
    @unknown default: break
    }
    let _: [String?] = [error.errorDescription, error.failureReason, error.recoverySuggestion]
  }
  if let error = error as? VerificationResult<Transaction>.VerificationError {
    switch error {
    case .revokedCertificate, .invalidCertificateChain, .invalidDeviceVerification, .invalidEncoding,
      .invalidSignature, .missingRequiredProperties:
      break
    @unknown default: break
    }
    let _: [String?] = [error.errorDescription, error.failureReason, error.recoverySuggestion]
    let _: Set<VerificationResult<Transaction>.VerificationError> = [error]
  }
  if let error = error as? InvalidRequestError {
    let _: Int64 = error.code
    let _: String = error.message
  }
  if let error = error as? SKError {
    let _: SKError.Code = error.code
    if error.code == .paymentCancelled || error == SKError(.unknown) {}
  }
  switch error {
  case SKError.paymentCancelled: break
  case StoreKitError.userCancelled: break
  case Product.PurchaseError.productUnavailable: break
  default: break
  }
  let states: [SKPaymentTransactionState] = [.purchasing, .purchased, .failed, .restored, .deferred]
  let _: [Int] = states.map(\.rawValue)
  let _: Bool = SKPaymentQueue.canMakePayments()
}

func promotionSurface() async throws {
  var promotions: [Product.PromotionInfo] = try await Product.PromotionInfo.currentOrder
  promotions[0].visibility = .hidden
  let _: Product.PromotionInfo.Visibility? = Product.PromotionInfo.Visibility(rawValue: 1)
  let _: [Product.PromotionInfo.Visibility] = [.appStoreConnectDefault, .visible, .hidden]
  let _: Product.ID = promotions[0].productID
  try await promotions[0].update()
  try await Product.PromotionInfo.updateProductOrder(byID: ["a"])
  try await Product.PromotionInfo.updateProductVisibility(.visible, for: "a")
  try await Product.PromotionInfo.updateAll(promotions)
}
