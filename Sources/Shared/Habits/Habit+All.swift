extension Habit {
  /// A quarter of an hour: longer waits are no habit that anybody reported.
  private static let milliseconds: ClosedRange<Int64> = 0...900_000

  /// Every habit, in the order in which they are listed.
  package static let all: [Habit] = launch + updates + queries + purchases + copies

  private static let launch = [
    Habit(
      "bufferedReplay", \.bufferedReplay, "the launch replay and missed live events wait for the first listener",
      source: "hyochan/react-native-iap#2264, expo-iap#198"),
    Habit(
      "coldStartEmpty", \.coldStartEmpty, field: true, "currentEntitlements is empty until the store has loaded",
      source: "superwall/Superwall-iOS#506, #525"),
    Habit(
      "offlineColdStartEmpty", \.offlineColdStartEmpty, field: true,
      "currentEntitlements is empty in a launch without contact", source: "reddit r/iOSProgramming 1kxh5gj"),
    Habit(
      "newestRenewalsFirst", \.newestRenewalsFirst, field: true, xcode: true,
      "renewals missed while closed come newest first", source: "Kosikowski/swift-storekit, measured"),
    Habit(
      "refundReplayedAtLaunch", \.refundReplayedAtLaunch, field: true,
      "a refund of the time when the app was closed is announced at launch",
      source: "Apple developer forums 751340 expects it"),
    Habit(
      "finishedTransactionsReappear", \.finishedTransactionsReappear, field: true,
      "what was finished is unfinished again after a launch or a sync",
      source: "Apple developer forums 821622, 692030"),
  ]

  private static let updates = [
    Habit(
      "duplicateDeliveries", \.duplicateDeliveries, in: 0...10, field: 2, xcode: 0,
      "how often each update and purchase comes again, unchanged",
      source: "Apple developer forums 816320, 843363"),
    Habit(
      "duplicateDelay", \.duplicateDelay, in: milliseconds, field: 10_000, xcode: 10_000,
      "milliseconds before each of those repetitions", source: "Apple developer forums 816320: 10 to 20 s"),
    Habit(
      "repeatedUnfinished", \.repeatedUnfinished, in: milliseconds, field: 30_000, xcode: 0,
      "every so many milliseconds unfinished transactions are announced again; 0 never",
      source: "flutter/flutter#171581, emerytech/couchside#315"),
    Habit(
      "purchaseAlsoUpdates", \.purchaseAlsoUpdates, field: true,
      "a purchase made here is also announced on updates here",
      source: "Apple developer forums 746629, hyodotdev/openiap#153"),
    Habit(
      "subscriptionAlsoUpdates", \.subscriptionAlsoUpdates, field: true, "the same for subscriptions alone",
      source: "Kosikowski/swift-storekit, measured on macOS"),
  ]

  private static let queries = [
    Habit(
      "lateListing", \.lateListing, in: milliseconds, field: 1_000, xcode: 0,
      "milliseconds from the announcement of a purchase or grant to its listing",
      source: "Kosikowski/swift-storekit, measured on macOS; RevenueCat FB13133387"),
    Habit(
      "cancelledQueriesAnswerEmpty", \.cancelledQueriesAnswerEmpty, field: true, xcode: true,
      "a query in a cancelled task answers as if there were nothing",
      source: "Kosikowski/swift-storekit, measured"),
    Habit(
      "upgradedStaysEntitled", \.upgradedStaysEntitled, field: true,
      "an upgraded transaction is listed until its expiry",
      source: "Apple developer forums 766872, RevenueCat/purchases-ios#1738"),
    Habit(
      "retryStillEntitled", \.retryStillEntitled, xcode: true, "a subscription in billing retry is listed",
      source: "Kosikowski/swift-storekit, measured on the iOS simulator"),
    Habit(
      "sharedHidesOwn", \.sharedHidesOwn, field: true,
      "one entitlement of a product at most: a family member's hides the own",
      source: "Apple: Product.currentEntitlements; Apple leaves open which"),
    Habit(
      "offlineStaysEntitled", \.offlineStaysEntitled, "without contact a subscription entitles past its end",
      source: "RevenueCat/purchases-ios#2288"),
    Habit(
      "expiredAtRenewal", \.expiredAtRenewal, in: milliseconds, field: 700, xcode: 300,
      "milliseconds for which a status reads expired at a renewal",
      source: "Kosikowski/swift-storekit, measured"),
    Habit(
      "subscribersEligibleForIntro", \.subscribersEligibleForIntro, field: true,
      "a subscriber who used no offer counts as eligible for one", source: "RevenueCat/purchases-ios#2174"),
  ]

  private static let purchases = [
    Habit(
      "unfinishedAnswersPurchase", \.unfinishedAnswersPurchase, field: true,
      "an unfinished transaction answers for a new purchase of its product",
      source: "Apple developer forums 723126, russell-archer/StoreHelper#65"),
    Habit(
      "declinedAskToBuyBuys", \.declinedAskToBuyBuys, xcode: true,
      "a declined Ask to Buy request is delivered as a purchase",
      source: "Kosikowski/swift-storekit, measured on the iOS simulator"),
  ]

  private static let copies = [
    Habit(
      "deviceBoundJWS", \.deviceBoundJWS, field: true, xcode: true, "each device gets signed copies of its own",
      source: "Apple: deviceVerification"),
    Habit(
      "unknownRawValues", \.unknownRawValues,
      "signed transactions have an unknown ownership, reason, offer and revocation",
      source: "Kosikowski/swift-storekit: iOS 27 adds values"),
    Habit(
      "sparseTransactions", \.sparseTransactions,
      "signed transactions leave out all that is optional, the bundle id too",
      source: "apple/app-store-server-library-swift#71"),
  ]
}
