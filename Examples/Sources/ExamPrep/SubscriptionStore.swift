import Observation
import StoreKit

/// A subscription as it is seen by who has it, who shares it, who had it, and who never did.
@MainActor
@Observable
final class SubscriptionStore {
  static let plans: Set<String> = ["com.example.app.monthly", "com.example.app.yearly"]
  private static let memory = "premium"

  /// Three values: "not known yet" is neither free nor premium, and the screen shows neither.
  enum Access: Equatable {
    case unknown
    case free
    case premium(Plan)
  }

  struct Plan: Equatable {
    var productID: String
    var expires: Date
    var isFamilyShared: Bool
  }

  enum Restore {
    case idle, running, restored, nothingFound, failed
  }

  private var reading: Access = .unknown
  private(set) var restore = Restore.idle
  /// Whether a trial would be free for this customer; nil until the store has said.
  private(set) var isTrialOffered: Bool?
  private var listeners: [Task<Void, Never>] = []
  /// Whether the store has loaded, so that an empty answer means that there is nothing.
  private var hasLoaded = false

  init() {
    listeners = [
      Task { [weak self] in
        for await result in Transaction.updates {
          await self?.refresh()
          await result.unsafePayloadValue.finish()
        }
      },
      Task { [weak self] in
        // An expiry makes no transaction.
        for await _ in Product.SubscriptionInfo.Status.updates { await self?.refresh() }
      },
    ]
    Task { await refresh() }
  }

  /// What was read, as of now: a period can end without anybody telling, offline for example.
  var access: Access {
    if case .premium(let plan) = reading, plan.expires <= Date() { return .free }
    return reading
  }

  func buy(_ productID: String) async throws {
    guard let product = try await Product.products(for: [productID]).first,
      case .success(let result) = try await product.purchase()
    else { return }
    await refresh()
    await result.unsafePayloadValue.finish()
  }

  /// Every ending is told: the reviewer taps this button, too.
  func restorePurchases() async {
    restore = .running
    do {
      try await AppStore.sync()
      await refresh()
      if case .premium = access { restore = .restored } else { restore = .nothingFound }
    } catch {
      restore = .failed
    }
  }

  /// With the grace that a customer has whose card was declined.
  private func end(of transaction: Transaction) async -> Date {
    let status = try? await Product.SubscriptionInfo.status(transactionID: transaction.id)
    guard case .verified(let renewal)? = status?.renewalInfo, let grace = renewal.gracePeriodExpirationDate else {
      return transaction.expirationDate ?? .distantFuture
    }
    return grace
  }

  private func refresh() async {
    var found = await currentPlan()
    if found == nil, !hasLoaded {
      // The store may have been asked too early. This waits for it, and fails without a connection on a phone that knows
      // nothing: then nobody knows.
      guard (try? await AppTransaction.shared) != nil else { return askAgain() }
      hasLoaded = true
      found = await currentPlan()
    }
    reading = found.map { .premium($0) } ?? .free
    // Of the group, not of the plan: who had the monthly trial has no yearly one.
    if let product = try? await Product.products(for: Self.plans).first(where: { $0.subscription != nil }) {
      isTrialOffered = await product.subscription?.isEligibleForIntroOffer
    }
  }

  private func askAgain() {
    Task { [weak self] in
      try? await Task.sleep(for: .seconds(1))
      await self?.refresh()
    }
  }

  private func currentPlan() async -> Plan? {
    var found: Plan?
    for await result in Transaction.currentEntitlements {
      guard case .verified(let transaction) = result, Self.plans.contains(transaction.productID),
        transaction.revocationDate == nil
      else { continue }
      let plan = Plan(
        productID: transaction.productID, expires: await end(of: transaction),
        isFamilyShared: transaction.ownershipType == .familyShared)
      // One's own goes before what the family shares.
      if found == nil || !plan.isFamilyShared { found = plan }
    }
    return found
  }
}
