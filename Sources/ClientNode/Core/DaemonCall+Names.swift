import Shared
import Wire

extension DaemonCall {
  /// Where it can be held.
  var gate: HoldGate.Gate? {
    switch self {
    case .products: .products
    case .purchase: .purchase
    case .finish: .finish
    case .sync: .restore
    case .transactions, .statuses: .entitlements
    case .introEligibility, .load, .storefront, .appTransaction, .requestRefund, .show: nil
    }
  }

  /// As what it can be made to fail.
  var api: FailableAPI? {
    switch self {
    case .products: .loadProducts
    case .purchase: .purchase
    case .sync: .appStoreSync
    case .statuses: .subscriptionStatus
    case .appTransaction: .appTransaction
    case .requestRefund: .refundRequest
    case .show(.manageSubscriptions): .manageSubscriptions
    case .show(.redeemOfferCode): .offerCodeRedeem
    case .finish, .transactions, .introEligibility, .load, .storefront, .show(.review): nil
    }
  }

  /// What it is about, for people.
  var subject: String {
    switch self {
    case .products(let ids): ids.sorted().prefix(5).joined(separator: ", ")
    case .purchase(let order): order.productId
    case .finish(let id): id.description
    case .load: "load"
    case .storefront: "storefront"
    case .appTransaction(let refresh): refresh ? "AppTransaction.refresh()" : "AppTransaction.shared"
    case .requestRefund(let id): id.description
    case .show(.manageSubscriptions(let group)): group.map { "subscriptions of \($0)" } ?? "subscriptions"
    case .show(.redeemOfferCode): "offer code"
    case .show(.review): "review"
    case .sync: "sync"
    case .transactions(.all): "all"
    case .transactions(.currentEntitlements): "currentEntitlements"
    case .transactions(.unfinished): "unfinished"
    case .transactions(.latest(let product)): "latest(for: \(product))"
    case .transactions(.one(let id)): "transaction \(id)"
    case .statuses(let group): group.map { "status(for: \($0))" } ?? "status"
    case .introEligibility(let group): "isEligibleForIntroOffer(for: \(group))"
    }
  }
}
