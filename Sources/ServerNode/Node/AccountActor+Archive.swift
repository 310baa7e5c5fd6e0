import Foundation
import Shared
import Wire

/// What an account keeps in memory, and what it gets back from the journal.
extension AccountActor {
  private struct Snapshot: Codable {
    var state: AccountState
    var lastReset: UInt64
  }

  var snapshot: Data? { WireJSON.encode(Snapshot(state: state, lastReset: lastReset)) }

  mutating func restore(snapshot: Data) throws {
    let snapshot = try JSONDecoder().decode(Snapshot.self, from: snapshot)
    state = snapshot.state
    lastReset = snapshot.lastReset
  }

  mutating func archive() { state.archive() }

  mutating func put(archived records: [TransactionRecord]) { state.put(archived: records) }

  func missing(for message: ActorMessage) -> ArchivedRecords? {
    guard state.hasArchive, case .request(let name, let body, let attachments) = message else { return nil }
    // A body that cannot be read is refused when it is decided about.
    func read<Message: Decodable>(_ type: Message.Type) -> Message? { try? WireJSON.decode(type, from: body) }
    func missing(_ id: TransactionID?, _ product: String?) -> ArchivedRecords? {
      state.missing(transactionId: id, productId: product)
    }
    switch name {
    case Finish.name: return state.missing(read(Finish.self)?.transactionIds ?? [])
    case GetSignedCopies.name:
      return state.missing(read(GetSignedCopies.self)?.copies.compactMap(\.transactionId) ?? [])
    case Claim.name: return state.missing(ClaimedTransaction.unverifiedId(attachments.first).map { [$0] } ?? [])
    case SetAppAccountToken.name:
      return state.missing(read(SetAppAccountToken.self).map { [$0.originalTransactionId] } ?? [])
    case Refund.name: return read(Refund.self).flatMap { missing($0.transactionId, $0.productId) }
    case RequestRefund.name: return read(RequestRefund.self).flatMap { missing($0.transactionId, $0.productId) }
    case DeclineRefund.name: return read(DeclineRefund.self).flatMap { missing($0.transactionId, $0.productId) }
    case SendConsumptionInformation.name:
      return state.missing(read(SendConsumptionInformation.self).map { [$0.transactionId] } ?? [])
    case ReverseRefund.name: return read(ReverseRefund.self).flatMap { missing($0.transactionId, $0.productId) }
    case CatchUp.name, DeleteTransaction.name, ResetAccount.name: return state.missing
    default: return nil
    }
  }
}

extension WantedCopy {
  fileprivate var transactionId: TransactionID? {
    if case .transaction(let id) = subject { id } else { nil }
  }
}
