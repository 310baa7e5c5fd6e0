import StoreKit

func transactionSurface(_ transaction: Transaction) async throws {
  func isValue<T: Identifiable & Hashable & Sendable & CustomDebugStringConvertible>(_: T) where T.ID == UInt64 {}
  isValue(transaction)
  let _: Data = transaction.jsonRepresentation
  let _: [UInt64] = [transaction.id, transaction.originalID]
  let _: [String?] = [transaction.webOrderLineItemID, transaction.subscriptionGroupID]
  let _: String = transaction.productID + transaction.appBundleID
  let _: [Date] = [transaction.purchaseDate, transaction.originalPurchaseDate, transaction.signedDate]
  let _: [Date?] = [transaction.expirationDate, transaction.revocationDate]
  let _: Int = transaction.purchasedQuantity
  let _: Bool = transaction.isUpgraded
  let _: Transaction.Offer? = transaction.offer
  let _: String? = transaction.offer?.id
  let _: Transaction.Offer.PaymentMode? = transaction.offer?.paymentMode
  let _: [Transaction.Offer.PaymentMode] = [.freeTrial, .payAsYouGo, .payUpFront, .oneTime]
  let _: Product.SubscriptionPeriod? = transaction.offer?.period
  let type: Transaction.OfferType? = transaction.offerType
  let _: [Transaction.OfferType] = [.introductory, .promotional, .code, .winBack]
  let _: Int? = type?.rawValue
  let _: String? = type?.localizedDescription
  let _: [String?] = [
    transaction.offerID, transaction.offerPaymentModeStringRepresentation, transaction.offerPeriodStringRepresentation,
  ]
  let reason: Transaction.RevocationReason? = transaction.revocationReason
  let _: [Transaction.RevocationReason] = [.developerIssue, .other]
  let _: String? = reason?.localizedDescription
  let _: Transaction.RevocationType? = transaction.revocationType
  let _: [Transaction.RevocationType] = [.familyRevocation, .fullRefund, .proratedRefund]
  let _: String? = transaction.revocationTypeStringRepresentation
  let _: Decimal? = transaction.revocationPercentage
  let _: Product.ProductType = transaction.productType
  let _: UUID? = transaction.appAccountToken
  let _: AppStore.Environment = transaction.environment
  let _: String = transaction.environmentStringRepresentation
  let _: [Transaction.Reason] = [transaction.reason, .purchase, .renewal]
  let _: String = transaction.reasonStringRepresentation
  let _: Storefront = transaction.storefront
  let _: String = transaction.storefrontCountryCode
  let _: Decimal? = transaction.price
  let _: Locale.Currency? = transaction.currency
  let _: String? = transaction.currencyCode
  let _: String = transaction.appTransactionID
  let _: Data = transaction.deviceVerification
  let _: UUID = transaction.deviceVerificationNonce
  let _: [Transaction.OwnershipType] = [transaction.ownershipType, .purchased, .familyShared]
  let _: String = transaction.ownershipType.rawValue + transaction.ownershipType.localizedDescription
  let _: Product.SubscriptionInfo.Status? = await transaction.subscriptionStatus
  await transaction.finish()
  if let commerce: Transaction.AdvancedCommerceInfo = transaction.advancedCommerceInfo {
    let _: String = commerce.requestReferenceID + commerce.taxCode
    let _: [Decimal] = [commerce.estimatedTax, commerce.taxRate, commerce.taxExclusivePrice]
    let _: [String?] = [commerce.description, commerce.displayName]
    let _: SubscriptionPeriod? = commerce.period
    let item: Transaction.AdvancedCommerceInfo.Item? = commerce.items.first
    let _: String? = item.map { $0.details.sku + $0.details.displayName + $0.details.description }
    let _: Decimal? = item?.details.price
    if item?.details.offer?.reason == .winBack || item?.refunds?.first?.type == .full {}
    if item?.refunds?.first?.reason == .legal {}
  }
}

@MainActor
func refundSurface(_ transaction: Transaction) async throws {
  let status: Transaction.RefundRequestStatus = try await transaction.beginRefundRequest()
  let _: Transaction.RefundRequestStatus = try await transaction.beginRefundRequest(in: "scene")
  let _: Transaction.RefundRequestStatus = try await Transaction.beginRefundRequest(for: transaction.id)
  let _: Transaction.RefundRequestStatus = try await Transaction.beginRefundRequest(for: transaction.id, in: "scene")
  switch status {
  case .success, .userCancelled: break
  @unknown default: break
  }
}

func sequenceSurface(_ id: String) async {
  let sequences: [Transaction.Transactions] = [
    Transaction.all, Transaction.currentEntitlements, Transaction.unfinished, Transaction.updates,
    Transaction.all(for: id), Transaction.currentEntitlements(for: id),
  ]
  for sequence in sequences {
    for await result: VerificationResult<Transaction> in sequence { _ = result }
  }
  for await case .verified(let transaction) in Transaction.currentEntitlements { _ = transaction.id }
  var iterator: Transaction.Transactions.AsyncIterator = Transaction.updates.makeAsyncIterator()
  let _: VerificationResult<Transaction>? = await iterator.next()
  let _: VerificationResult<Transaction>? = await Transaction.latest(for: id)
  let _: VerificationResult<Transaction>? = await Transaction.currentEntitlement(for: id)
  let _: Task<Void, Never> = Task.detached { for await result in Transaction.updates { _ = result } }
  let _: Task<Void, Never> = Task.detached(priority: .background) { for await _ in Transaction.unfinished {} }
  let _: Task<Void, any Error> = Task.detached { try await AppStore.sync() }
  let _: Task<Void, any Error> = Task.detached(priority: .utility) { try await AppStore.sync() }
}

func verificationSurface(_ result: VerificationResult<Transaction>) throws {
  switch result {
  case .unverified(let transaction, let error):
    let _: Transaction = transaction
    let _: VerificationResult<Transaction>.VerificationError = error
  case .verified(let transaction):
    let _: Transaction = transaction
  }
  let _: Transaction = try result.payloadValue
  let _: Transaction = result.unsafePayloadValue
  let _: String = result.jwsRepresentation
  let _: [Data] = [result.headerData, result.payloadData, result.signatureData, result.signedData]
  func isBytes(_: some ContiguousBytes & Hashable & Sendable) {}
  let signature: P256.Signing.ECDSASignature = result.signature
  isBytes(signature)
  let _: [Data] = [signature.rawRepresentation, signature.derRepresentation, result.deviceVerification]
  let _: Int = signature.withUnsafeBytes { $0.count }
  let _: Date = result.signedDate
  let _: UUID = result.deviceVerificationNonce
  let _: Set<VerificationResult<Transaction>> = [result]
  let _: String = result.debugDescription
}

func genericVerification<T>(_ result: VerificationResult<T>) throws -> T {
  switch result {
  case .unverified(_, let error): throw error
  case .verified(let value): return value
  }
}

func renewalVerificationSurface(_ result: VerificationResult<Product.SubscriptionInfo.RenewalInfo>) {
  let _: String = result.jwsRepresentation
  let _: P256.Signing.ECDSASignature = result.signature
  let _: [Data] = [result.headerData, result.payloadData, result.signatureData, result.signedData]
  let _: Date = result.signedDate
  let _: (Data, UUID) = (result.deviceVerification, result.deviceVerificationNonce)
}
