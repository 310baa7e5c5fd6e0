import ClientNode
import Dispatch
import Shared
public import StoreKit
import Wire

extension SKTestSession {
  /// Buys a product in the App Store, outside of the app, which learns of it through `Transaction.updates`.
  /// - Returns: the transaction; the one that there is for what is owned already.
  /// - Throws: `SKTestError`, `invalidAction` among others when the purchase waits for somebody; `Product.PurchaseError`
  ///   for offers and quantities that the store refuses.
  @discardableResult
  public func buyProduct(
    identifier: String, options: Set<Product.PurchaseOption> = []
  ) async throws -> Transaction {
    let world = world
    let outcome = try await world.offPool { try world.buy(identifier, options: options) }
    let id: TransactionID
    switch outcome {
    case .purchased(let transaction), .existing(let transaction): id = transaction
    case .pending:
      throw SKTestError(
        .invalidAction,
        "the purchase of '\(identifier)' waits, as askToBuyEnabled or interruptedPurchasesEnabled wants it: see "
          + "allTransactions()")
    }
    guard let daemon = world.own?.daemon, let signed = await daemon.transactions(.one(id)).first else {
      throw SKTestError(.serviceUnavailable, "transaction \(id) was bought, but the device does not show it")
    }
    return VerificationResult(signed, on: daemon).unsafePayloadValue
  }

  /// The same without a result. Apple has deprecated it.
  public func buyProduct(productIdentifier: String) throws {
    _ = try world.buy(productIdentifier, options: [])
  }
}

extension TestWorld {
  /// Runs what blocks, away from Swift's cooperative pool.
  func offPool<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    // A task-local of the caller does not count there, nor need it: worlds are found when sessions are made.
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
    }
  }
}
