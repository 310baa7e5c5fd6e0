package import Wire

/// Holding back what the app asks of the store.
extension FleetDevice {
  /// Where a call of the app can be held up.
  public enum Gate: String, Hashable, Sendable, CaseIterable {
    /// Queries of transactions and of statuses.
    case entitlements
    /// `finish()`.
    case finish
    /// `Product.products(for:)`.
    case products
    /// The payment sheet: nothing is bought while it is up.
    case purchase
    /// The store's word on a purchase: it is bought, and the app does not hear of it.
    case purchaseResult
    /// `AppStore.sync()`.
    case restore

    package var wire: HoldGate.Gate {
      switch self {
      case .entitlements: .entitlements
      case .finish: .finish
      case .products: .products
      case .purchase: .purchase
      case .purchaseResult: .purchaseResult
      case .restore: .restore
      }
    }
  }

  /// Holds back what the app asks for, so that a kill or a second tap can fall in between.
  ///
  /// A call that waits for such an end does not return before `release`: use `startBuying` and `startRestoring`, and
  /// `expect` with `DeviceLook.waiting`. A gate is held until it is released, in later launches too.
  public func hold(_ gate: Gate) async throws { _ = try await tell(HoldGate(gate: gate.wire, held: true)) }

  /// Lets go what waits.
  ///
  /// - Parameters:
  ///   - count: only so many calls pass, those that wait first; nil opens the gate.
  ///   - cancelling: the calls end as if the customer had cancelled; of purchases and restores.
  /// - Throws: when nobody can cancel what waits at this gate.
  public func release(_ gate: Gate, count: Int? = nil, cancelling: Bool = false) async throws {
    _ = try await tell(HoldGate(gate: gate.wire, held: false, count: count, cancel: cancelling ? true : nil))
  }
}
