package import ClientNode
import Shared

extension Product.SubscriptionInfo {
  /// Where one lineage of a subscription stands.
  public struct Status: Hashable, Sendable {
    public let state: RenewalState
    /// The latest transaction of the lineage.
    public let transaction: VerificationResult<Transaction>
    public let renewalInfo: VerificationResult<RenewalInfo>
    /// By the device's own record.
    let lineage: TransactionID
    let groupID: String

    package init(_ signed: SignedStatus, on daemon: any StoreDaemon) {
      state = RenewalState(rawValue: signed.info.status.rawValue)
      transaction = VerificationResult(signed.transaction, on: daemon)
      renewalInfo = VerificationResult(RenewalInfo(signed, on: daemon), failure: signed.infoFailure)
      lineage = signed.info.originalTransactionId
      groupID = signed.info.subscriptionGroupIdentifier
    }

    /// Changes of any status while the app runs; also the ones that make no transaction, such as an expiry.
    public static var updates: Statuses { Statuses(daemon: CurrentDevice.orNothing()) }

    /// The statuses of every subscription group, a group at a time: a snapshot.
    public static var all: AsyncStream<(groupID: String, statuses: [Status])> {
      let groups = StatusGroups(daemon: CurrentDevice.orNothing())
      return AsyncStream { await groups.next() }
    }

    /// - Parameter group: nil for all groups.
    static func statuses(of group: String?, on daemon: any StoreDaemon) async throws -> [Status] {
      do {
        return try await daemon.statuses(group: group).map { Status($0, on: daemon) }
      } catch {
        throw StoreKitError(error)
      }
    }
  }
}
