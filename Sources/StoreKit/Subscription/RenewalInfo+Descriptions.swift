extension Product.SubscriptionInfo.RenewalInfo.ExpirationReason {
  public var localizedDescription: String {
    switch self {
    case .autoRenewDisabled: "Auto-Renew Disabled"
    case .billingError: "Billing Error"
    case .didNotConsentToPriceIncrease: "Did Not Consent to Price Increase"
    case .productUnavailable: "Product Unavailable"
    case .unknown: "Unknown"
    default: "Unknown Reason \(rawValue)"
    }
  }
}

extension Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus {
  public var localizedDescription: String {
    switch self {
    case .noIncreasePending: "No Increase Pending"
    case .pending: "Pending"
    case .agreed: "Agreed"
    }
  }
}
