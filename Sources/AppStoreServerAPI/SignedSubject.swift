import Foundation
import Shared

/// What is signed once for each of its revisions.
enum SignedSubject: Sendable {
  case transaction(TransactionRecord)
  case renewalInfo(RenewalInfo)

  var key: SignatureCache.Key {
    switch self {
    case .transaction(let record): .init(.transaction, record.transactionId, record.recordRevision)
    case .renewalInfo(let info): .init(.renewalInfo, info.originalTransactionId, info.recordRevision)
    }
  }

  /// The JSON that is signed.
  func payload(_ identity: StoreIdentity, signedDate: StoreTime) -> Data {
    switch self {
    case .transaction(let record): TransactionPayload(record, identity: identity, signedDate: signedDate).json()
    case .renewalInfo(let info): RenewalInfoPayload(info, identity: identity, signedDate: signedDate).json()
    }
  }
}
