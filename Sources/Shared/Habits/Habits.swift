/// What a world does where Apple leaves it open, or where developers report something else than the documentation says.
///
/// Each habit is on, off or a number; `Habit.all` gives every one a meaning for people, its source and its value in the
/// profiles. A fresh value is the profile `documented`. Times are milliseconds of the device's monotonic clock: they
/// pass even where the world's clock stands still.
package struct Habits: Hashable, Sendable {
  // MARK: Launch

  /// The launch replay, and what arrives while nobody listens to `updates`, waits for the first iterator; a successor
  /// gets what an ended one had not read. Off: both are lost to a late listener, who finds them in `unfinished`.
  package var bufferedReplay = false
  /// `currentEntitlements` is empty until the local store has loaded, which takes a moment after each launch. Off: it
  /// waits, so that its end is definitive.
  package var coldStartEmpty = false
  /// `currentEntitlements` is empty in a launch that had no contact with the store yet. Off: what the phone keeps shows.
  package var offlineColdStartEmpty = false
  /// Renewals of the time when the app was closed come newest first. Off: oldest first.
  package var newestRenewalsFirst = false
  /// A refund of the time when the app was closed is announced on `updates` at the next launch, once. Off: it shows in
  /// queries alone.
  package var refundReplayedAtLaunch = false
  /// The newest finished transaction of each product is unfinished again after each launch, and after each sync for
  /// subscriptions, until it is finished again. Off: finished is for ever.
  package var finishedTransactionsReappear = false

  // MARK: Updates

  /// How often an element of `updates`, or a purchase, comes again though nothing has changed.
  package var duplicateDeliveries: Int64 = 0
  /// How long before each repetition of `duplicateDeliveries`, in milliseconds.
  package var duplicateDelay: Int64 = 10_000
  /// Every so many milliseconds, what is unfinished is announced again while the app runs; 0 for never.
  package var repeatedUnfinished: Int64 = 0
  /// A purchase made here is also announced on `updates` here, half a second later.
  package var purchaseAlsoUpdates = false
  /// The same for subscriptions alone.
  package var subscriptionAlsoUpdates = false

  // MARK: Queries

  /// How many milliseconds after its announcement a purchase or a grant shows in `currentEntitlements` and `unfinished`.
  package var lateListing: Int64 = 0
  /// A query, a status or products that a cancelled task asks for come back as if there were nothing. Off: it is
  /// answered.
  package var cancelledQueriesAnswerEmpty = false
  /// An upgraded transaction stays in `currentEntitlements` until its expiry, with `isUpgraded`. Off: it leaves at once.
  package var upgradedStaysEntitled = false
  /// A subscription in billing retry stays in `currentEntitlements`. Off: it leaves at once.
  package var retryStillEntitled = false
  /// Of one product there is one transaction in `currentEntitlements` at most: a family member's hides the own. Off: both
  /// are there.
  package var sharedHidesOwn = false
  /// Without contact, a subscription entitles past its end. Off: it ends by the world's clock.
  package var offlineStaysEntitled = false
  /// For how many milliseconds a status reads expired when its subscription renews.
  package var expiredAtRenewal: Int64 = 0
  /// `isEligibleForIntroOffer` is true for a subscriber who never used an introductory offer. Off: it is false while the
  /// subscription runs.
  package var subscribersEligibleForIntro = false

  // MARK: Purchases

  /// A purchase of a product that has an unfinished transaction hands back that one, expired or not, and buys nothing.
  package var unfinishedAnswersPurchase = false
  /// A declined Ask to Buy request is delivered as a purchase. Off: it is silent.
  package var declinedAskToBuyBuys = false

  // MARK: Signed copies

  /// Each device gets copies of its own, bound to it. Off: devices share copies that are bound to none, signed once for
  /// each revision.
  package var deviceBoundJWS = true
  /// Transactions that are signed from now on have an ownership and a reason that this version of StoreKit does not know.
  package var unknownRawValues = false
  /// Signed transactions leave out what Apple calls optional: bundle id, token, order line item, offer, price, currency
  /// and storefront, as old ones do. Off: all is there.
  package var sparseTransactions = false

  /// The profile `documented`.
  package init() {}
}
