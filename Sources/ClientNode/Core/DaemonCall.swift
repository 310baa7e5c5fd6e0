package import Shared

/// A call of `StoreDaemon` as a value.
package enum DaemonCall: Hashable, Sendable {
  case products([String])
  case purchase(PurchaseOrder)
  case finish(TransactionID)
  case sync
  case transactions(TransactionQuery)
  case statuses(group: String?)
  case introEligibility(group: String)
  case appTransaction(refresh: Bool)
  case requestRefund(TransactionID)
  case show(StoreSheet)
  /// Waits until what queries say is definitive.
  case load
  case storefront
}
