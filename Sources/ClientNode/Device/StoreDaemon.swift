package import Foundation
package import Shared
package import Wire

/// The phone's store daemon as one launch of an app sees it: what the StoreKit module is built on.
///
/// A value belongs to one incarnation. Once the app was killed, calls have no further effect: sequences end, requests
/// are refused with `.appNotRunning`, and one line is logged.
package protocol StoreDaemon: AnyObject, Sendable {
  var device: DeviceIdentity { get }
  /// Apple: AppStore.canMakePayments.
  var canMakePayments: Bool { get }

  /// The products of the catalogue with these ids; unknown ones are missing.
  func products(for ids: [String]) async throws(DaemonError) -> GetProducts.Reply
  func purchase(_ order: PurchaseOrder) async throws(DaemonError) -> PurchaseOutcome
  /// Returns once the mark would survive a kill. Never fails: offline, the mark is kept and told later.
  func finish(_ id: TransactionID) async
  /// Asks the store for everything anew (Apple: AppStore.sync()).
  func sync() async throws(DaemonError)

  /// A snapshot. Waits for the local store when it has not loaded yet.
  func transactions(_ query: TransactionQuery) async -> [SignedTransaction]
  /// The statuses of a subscription group, one for each lineage; of all groups when nil.
  func statuses(group: String?) async throws(DaemonError) -> [SignedStatus]
  /// Whether an introductory offer would apply in the group.
  func isEligibleForIntroOffer(group: String) async -> Bool
  /// Where the device's account buys, ISO 3166-1 alpha-3. Waits for the local store as a snapshot does.
  func storefront() async -> String

  /// Returns once the local store has loaded in this launch, so that an empty query means that nothing is owned. Offline
  /// and without anything stored, it throws `.network`.
  func load() async throws(DaemonError)
  /// - Parameter refresh: asks the store although the device has one.
  func appTransaction(refresh: Bool) async throws(DaemonError) -> SignedAppTransaction
  /// The customer asks for money back.
  func requestRefund(_ id: TransactionID) async throws(DaemonError)
  /// Returns when the sheet is put away, which is at once: nobody is there to use it.
  func show(_ sheet: StoreSheet) async throws(DaemonError)

  /// Begins to listen, at once: what happens after the call returns is not missed.
  func updates() -> DaemonStream<SignedTransaction>
  func statusUpdates() -> DaemonStream<SignedStatus>
  /// What came before anybody listened is not lost: the first one gets it.
  func messages() -> DaemonStream<SendMessage.Reason>
  func purchaseIntents() -> DaemonStream<SendPurchaseIntent>
  /// Where the account has moved to, each time.
  func storefrontUpdates() -> DaemonStream<String>

  /// Called by the host when the app's first views come up.
  func appDidAppear()
}

extension StoreDaemon {
  package var canMakePayments: Bool { device.canMakePayments }

  /// A daemon whose queries are always definitive has loaded.
  package func load() async throws(DaemonError) {}
}

/// Who a device is.
package struct DeviceIdentity: Hashable, Sendable {
  package var world: String
  package var name: String
  package var account: String
  package var bundleId: String
  /// The number of this launch, from 1.
  package var incarnation: UInt64
  /// Apple: AppStore.deviceVerificationID.
  package var deviceVerificationId: UUID
  /// The world's, as in signed payloads: `Sandbox`, `Production`, `Xcode`, `LocalTesting`.
  package var environment = "Sandbox"
  /// The account's at the launch, ISO 3166-1 alpha-3.
  package var storefront = "USA"
  /// Whether the user may buy, at the launch.
  package var canMakePayments = true

  package init(
    world: String, name: String, account: String, bundleId: String, incarnation: UInt64, deviceVerificationId: UUID
  ) {
    self.world = world
    self.name = name
    self.account = account
    self.bundleId = bundleId
    self.incarnation = incarnation
    self.deviceVerificationId = deviceVerificationId
  }
}

package struct PurchaseOrder: Hashable, Sendable {
  package var productId: String
  package var quantity: Int
  package var appAccountToken: UUID?
  package var simulatesAskToBuy: Bool
  /// See `Purchase.intendedAt`.
  package var intendedAt: Int64?
  package var offer: PurchaseOffer?

  package init(
    productId: String, quantity: Int = 1, appAccountToken: UUID? = nil, simulatesAskToBuy: Bool = false,
    intendedAt: Int64? = nil, offer: PurchaseOffer? = nil
  ) {
    self.productId = productId
    self.quantity = quantity
    self.appAccountToken = appAccountToken
    self.simulatesAskToBuy = simulatesAskToBuy
    self.intendedAt = intendedAt
    self.offer = offer
  }
}

package enum PurchaseOutcome: Hashable, Sendable {
  case success(SignedTransaction)
  case pending
  case userCancelled
}

package enum TransactionQuery: Hashable, Sendable {
  case all
  case currentEntitlements
  case unfinished
  /// At most one.
  case latest(productId: String)
  /// This one, whatever has become of it; at most one.
  case one(TransactionID)
}

/// A transaction as the device has it: its own record, the signed copy, and what checking that copy gave.
package struct SignedTransaction: Hashable, Sendable {
  /// The device's record; `finish` acts on this one, never on the id inside an unverified payload.
  package var record: TransactionRecord
  /// Compact JWS.
  package var jws: String
  /// Nil when the copy is good.
  package var failure: VerificationFailure?

  package init(record: TransactionRecord, jws: String, failure: VerificationFailure?) {
    self.record = record
    self.jws = jws
    self.failure = failure
  }
}

/// A lineage's status with its signed renewal info.
package struct SignedStatus: Hashable, Sendable {
  package var info: RenewalInfo
  package var infoJWS: String
  package var infoFailure: VerificationFailure?
  package var transaction: SignedTransaction

  package init(info: RenewalInfo, infoJWS: String, infoFailure: VerificationFailure?, transaction: SignedTransaction) {
    self.info = info
    self.infoJWS = infoJWS
    self.infoFailure = infoFailure
    self.transaction = transaction
  }
}

/// Why the daemon did not do it.
package enum DaemonError: Error, Hashable, Sendable {
  /// Offline, or the store did not answer in time.
  case network
  /// The store says no.
  case refused(Refusal, String)
  /// It was made to fail.
  case simulated(SimulatedFailure)
  /// This launch of the app is over.
  case appNotRunning
  case internalError(String)
}
