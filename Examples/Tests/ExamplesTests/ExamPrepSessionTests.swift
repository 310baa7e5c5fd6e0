import StoreKitTest
import Testing

@testable import ExamPrep

/// Who has a subscription, who shares it, who had it, and who never did.
@MainActor @Suite(.storeKitWorld, .timeLimit(.minutes(1)))
struct ExamPrepSessionTests {
  private let session: SKTestSession

  init() throws { session = try Stage.session() }

  private func plan(of store: SubscriptionStore) -> SubscriptionStore.Plan? {
    guard case .premium(let plan) = store.access else { return nil }
    return plan
  }

  @Test func whoNeverBoughtIsFreeAndIsOfferedTheTrial() async throws {
    let store = SubscriptionStore()
    #expect(store.access == .unknown)
    await until { store.access == .free && store.isTrialOffered == true }
    await store.restorePurchases()
    #expect(store.restore == .nothingFound)
  }

  @Test func anExpiryEndsTheAccessAndTheTrialIsUsedUp() async throws {
    let store = SubscriptionStore()
    try await store.buy(Stage.yearly)
    #expect(plan(of: store)?.productID == Stage.yearly && plan(of: store)?.isFamilyShared == false)
    try session.expireSubscription(productIdentifier: Stage.yearly)
    await until { store.access == .free && store.isTrialOffered == false }
  }

  @Test func aMemberOfTheFamilyKnowsThatItIsShared() async throws {
    let kid = try session.family.add("kid")
    let store = kid.run { SubscriptionStore() }
    try await session.buyProduct(identifier: Stage.yearly)
    await until { plan(of: store)?.isFamilyShared == true }
  }

  @Test func aRestoreThatFailsIsTold() async throws {
    let store = SubscriptionStore()
    try await session.setSimulatedError(.generic(.userCancelled), forAPI: .appStoreSync)
    await store.restorePurchases()
    #expect(store.restore == .failed)
  }
}
