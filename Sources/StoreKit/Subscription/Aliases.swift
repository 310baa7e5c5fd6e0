// Apple's short names (iOS 18.4).
public typealias SubscriptionInfo = Product.SubscriptionInfo
public typealias SubscriptionPeriod = Product.SubscriptionPeriod
public typealias SubscriptionStatus = Product.SubscriptionInfo.Status
public typealias SubscriptionRenewalState = Product.SubscriptionInfo.RenewalState
public typealias SubscriptionRenewalInfo = Product.SubscriptionInfo.RenewalInfo
