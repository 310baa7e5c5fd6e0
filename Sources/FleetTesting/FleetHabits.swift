import Shared

/// What a world does where Apple leaves it open, or where developers report something else than the documentation says.
///
/// ```swift
/// try await fleet.setHabits(.field)                                             // as developers report it
/// try await fleet.setHabits(.with(.coldStartEmpty))                             // one more; the others stay
/// let habits = FleetHabits.field.with(.coldStartEmpty, false).with(.lateListing, 800)
/// ```
///
/// docs/behaviour.md says of each where it was seen, and `storefleet habits` what it is in each profile.
public struct FleetHabits: Hashable, Sendable {
  /// Habits that are on or off.
  public enum Flag: String, Hashable, Sendable, CaseIterable {
    /// The launch replay and missed live events wait for the first listener.
    case bufferedReplay
    /// A query in a cancelled task answers as if there were nothing.
    case cancelledQueriesAnswerEmpty
    /// `Transaction.currentEntitlements` is empty until the store has loaded.
    case coldStartEmpty
    /// A declined Ask to Buy request is delivered as a purchase.
    case declinedAskToBuyBuys
    /// Each device gets signed copies of its own.
    case deviceBoundJWS
    /// What was finished is unfinished again after a launch or a sync.
    case finishedTransactionsReappear
    /// Renewals missed while the app was closed come newest first.
    case newestRenewalsFirst
    /// `Transaction.currentEntitlements` is empty in a launch without contact.
    case offlineColdStartEmpty
    /// Without contact a subscription entitles past its end.
    case offlineStaysEntitled
    /// A purchase made on a device is also announced on its `Transaction.updates`.
    case purchaseAlsoUpdates
    /// A refund of the time when the app was closed is announced at launch.
    case refundReplayedAtLaunch
    /// A subscription in billing retry is listed.
    case retryStillEntitled
    /// One entitlement of a product at most: a family member's hides the own.
    case sharedHidesOwn
    /// Signed transactions leave out all that is optional, the bundle id too.
    case sparseTransactions
    /// A subscriber who used no offer counts as eligible for one.
    case subscribersEligibleForIntro
    /// As `purchaseAlsoUpdates`, for subscriptions alone.
    case subscriptionAlsoUpdates
    /// An unfinished transaction answers for a new purchase of its product.
    case unfinishedAnswersPurchase
    /// Signed transactions have an ownership, a reason, an offer and a revocation that StoreKit does not know.
    case unknownRawValues
    /// An upgraded transaction is listed until its expiry.
    case upgradedStaysEntitled
  }

  /// Habits with a number. Milliseconds are the machine's: they pass where the world's clock stands still, too.
  public enum Number: String, Hashable, Sendable, CaseIterable {
    /// Milliseconds before each repetition of `duplicateDeliveries`.
    case duplicateDelay
    /// How often each update and purchase comes again, unchanged: 0 to 10.
    case duplicateDeliveries
    /// For how many milliseconds a status reads expired at a renewal.
    case expiredAtRenewal
    /// Milliseconds from the announcement of a purchase or grant to its listing.
    case lateListing
    /// Every so many milliseconds unfinished transactions are announced again; 0 for never.
    case repeatedUnfinished
  }

  /// As Apple's documentation says: what a world does unless it is told otherwise.
  public static let documented = FleetHabits(change: HabitChange(profile: .documented))
  /// As developers report from devices and from the sandbox.
  public static let field = FleetHabits(change: HabitChange(profile: .field))
  /// As StoreKit testing in Xcode and its simulators were seen to do.
  public static let xcode = FleetHabits(change: HabitChange(profile: .xcode))

  /// One habit; a world that is told keeps the others as they are.
  public static func with(_ flag: Flag, _ isOn: Bool = true) -> FleetHabits { FleetHabits().with(flag, isOn) }

  /// One habit; a world that is told keeps the others as they are.
  public static func with(_ number: Number, _ value: Int) -> FleetHabits { FleetHabits().with(number, value) }

  /// These habits, and one more.
  public func with(_ flag: Flag, _ isOn: Bool = true) -> FleetHabits { adding(flag.rawValue, .flag(isOn)) }

  /// These habits, and one more.
  public func with(_ number: Number, _ value: Int) -> FleetHabits { adding(number.rawValue, .number(Int64(value))) }

  private var change = HabitChange()
  /// The first value that a habit cannot have. Told where the habits are used: there it can be thrown.
  private var mistake: HabitError?

  private func adding(_ name: String, _ value: HabitValue) -> FleetHabits {
    var habits = self
    do throws(HabitError) { try habits.change.set(name, to: value) } catch { habits.mistake = mistake ?? error }
    return habits
  }

  /// - Throws: when a number is out of its habit's range.
  func checked() throws(FleetTestingError) -> HabitChange {
    if let mistake { throw FleetTestingError(mistake.description) }
    return change
  }
}
