// Only StoreKit and Observation, as in an app: nothing of the package may be needed to compile this file.
import Observation
import StoreKit

/// A purchase manager as tutorials write it.
@MainActor @Observable
final class PurchaseManager {
  private(set) var products: [Product] = []
  private(set) var purchasedProductIDs: Set<String> = []
  private(set) var purchaseError: String?
  private(set) var trialText: String?

  @ObservationIgnored private var updateListenerTask: Task<Void, any Error>?

  init() {
    updateListenerTask = listenForTransactions()
    Task { await updatePurchasedProducts() }
  }

  deinit { updateListenerTask?.cancel() }

  private func listenForTransactions() -> Task<Void, any Error> {
    Task.detached {
      for await result in Transaction.updates {
        do {
          let transaction = try await self.checkVerified(result)
          await self.updatePurchasedProducts()
          await transaction.finish()
        } catch {
          print("Transaction verification failed: \(error)")
        }
      }
    }
  }

  func loadProducts(_ ids: Set<String>) async {
    do {
      products = try await Product.products(for: ids).sorted { $0.price < $1.price }
    } catch StoreKitError.networkError(let urlError) {
      purchaseError = urlError.localizedDescription
    } catch {
      purchaseError = error.localizedDescription
    }
  }

  func purchase(_ product: Product, for user: UUID? = nil) async -> Bool {
    do {
      let options: Set<Product.PurchaseOption> = user.map { [.appAccountToken($0)] } ?? []
      switch try await product.purchase(options: options) {
      case .success(let verification):
        let transaction = try checkVerified(verification)
        await updatePurchasedProducts()
        await transaction.finish()
        return true
      case .userCancelled, .pending:
        return false
      }
    } catch StoreKitError.userCancelled {
      return false
    } catch StoreKitError.notAvailableInStorefront, Product.PurchaseError.productUnavailable {
      purchaseError = "not sold here"
      return false
    } catch {
      purchaseError = error.localizedDescription
      return false
    }
  }

  func checkVerified<T>(_ result: VerificationResult<T>) throws -> T {
    switch result {
    case .unverified(_, let error): throw error
    case .verified(let safe): return safe
    }
  }

  func updatePurchasedProducts() async {
    var ids: Set<String> = []
    for await case .verified(let transaction) in Transaction.currentEntitlements {
      guard transaction.revocationDate == nil, !transaction.isUpgraded else { continue }
      if let expires = transaction.expirationDate, expires < transaction.purchaseDate { continue }
      switch transaction.productType {
      case .nonConsumable, .nonRenewable, .autoRenewable: ids.insert(transaction.productID)
      case .consumable: break
      default: break
      }
    }
    purchasedProductIDs = ids
  }

  func bestStatus(of product: Product) async throws -> Product.SubscriptionInfo.RenewalState? {
    guard let subscription = product.subscription else { return nil }
    for status in try await subscription.status {
      guard let renewalInfo = try? checkVerified(status.renewalInfo),
        let transaction = try? status.transaction.payloadValue
      else { continue }
      switch status.state {
      case .subscribed, .inGracePeriod:
        if transaction.offer?.type == .introductory || transaction.offerType == .introductory { trialText = "trial" }
        if renewalInfo.willAutoRenew { return status.state }
      case .inBillingRetryPeriod, .expired, .revoked: continue
      default: continue
      }
    }
    return nil
  }

  func describeTrial(of product: Product) async -> String? {
    guard let subscription = product.subscription, await subscription.isEligibleForIntroOffer,
      let offer = subscription.introductoryOffer, offer.paymentMode == .freeTrial
    else { return nil }
    let unit =
      switch offer.period.unit {
      case .day: "day"
      case .week: "week"
      case .month: "month"
      case .year: "year"
      }
    return "\(offer.period.value) \(unit) free, then \(product.displayPrice)"
  }

  func restore() async throws {
    try await AppStore.sync()
    await updatePurchasedProducts()
  }
}

/// Names whose types the compiler checks here, and nobody calls.
@MainActor private func surface(
  _ product: Product, _ transaction: Transaction, _ status: SubscriptionStatus
) async throws {
  let _: (String, String, String, String, Decimal, Bool, Data) = (
    product.id, product.displayName, product.description, product.displayPrice, product.price,
    product.isFamilyShareable, product.jsonRepresentation
  )
  let _: Decimal.FormatStyle.Currency = product.priceFormatStyle
  let _: (UInt64, UInt64, String?, String?, Int, Bool) = (
    transaction.id, transaction.originalID, transaction.webOrderLineItemID, transaction.subscriptionGroupID,
    transaction.purchasedQuantity, transaction.isUpgraded
  )
  let _: (Date, Date, Date, Date?, Date?) = (
    transaction.purchaseDate, transaction.originalPurchaseDate, transaction.signedDate, transaction.expirationDate,
    transaction.revocationDate
  )
  let _: (UUID?, Data, UUID, Decimal?, Locale.Currency?, String) = (
    transaction.appAccountToken, transaction.deviceVerification, transaction.deviceVerificationNonce,
    transaction.price, transaction.currency, transaction.appTransactionID
  )
  let _: (Transaction.RevocationReason?, Transaction.OwnershipType, Transaction.Reason, AppStore.Environment) = (
    transaction.revocationReason, transaction.ownershipType, transaction.reason, transaction.environment
  )
  let _: VerificationResult<Transaction>? = await product.latestTransaction
  let _: VerificationResult<Transaction>? = await Transaction.latest(for: product.id)
  let _: [Transaction.Transactions] = [
    Transaction.all, Transaction.unfinished, Transaction.updates, Transaction.currentEntitlements,
    Transaction.all(for: ""), Transaction.currentEntitlements(for: ""),
  ]
  let info: SubscriptionRenewalInfo = try status.renewalInfo.payloadValue
  let _: (String, Bool, String?, Bool, Date?, Date?, Decimal?) = (
    info.currentProductID, info.willAutoRenew, info.autoRenewPreference, info.isInBillingRetry,
    info.gracePeriodExpirationDate, info.renewalDate, info.renewalPrice
  )
  let _: SubscriptionStatus? = await transaction.subscriptionStatus
  let _: [SubscriptionStatus] = try await SubscriptionInfo.status(for: "")
  let _: (String, String, Data, Data, Data, Data, Date) = (
    status.transaction.jwsRepresentation, status.renewalInfo.jwsRepresentation, status.transaction.headerData,
    status.transaction.payloadData, status.transaction.signatureData, status.transaction.signedData,
    status.transaction.signedDate
  )
  for await status in SubscriptionInfo.Status.updates { let _: SubscriptionRenewalState = status.state }
  for await group in SubscriptionInfo.Status.all {
    let _: (String, [SubscriptionStatus]) = (group.groupID, group.statuses)
  }
  let _: (Bool, UUID?, String?) = (
    AppStore.canMakePayments, AppStore.deviceVerificationID, await Storefront.current?.countryCode
  )
  requireSendable(Product.self, Transaction.self, SubscriptionInfo.self, SubscriptionStatus.self)
  requireSendable(SubscriptionRenewalInfo.self, Product.PurchaseResult.self, StoreKitError.self, Storefront.self)
  requireSendable(VerificationResult<Transaction>.self, Transaction.Transactions.self)
  requireHashable(Product.self, Transaction.self, SubscriptionInfo.self, SubscriptionStatus.self)
  requireHashable(SubscriptionPeriod.self, Product.SubscriptionOffer.self, Product.PurchaseError.self)
  requireHashable(VerificationResult<Transaction>.self, VerificationResult<Transaction>.VerificationError.self)
}

private func requireSendable<each T: Sendable>(_ types: repeat (each T).Type) {}
private func requireHashable<each T: Hashable>(_ types: repeat (each T).Type) {}
