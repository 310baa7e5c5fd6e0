import Foundation
import Shared
import Wire

extension AccountState {
  func decideClaim(
    of id: TransactionID, for token: UUID, in context: StoreContext
  ) throws(WireError) -> AccountDecision {
    guard let record = history[id] else {
      throw .refused(.unknownTransaction, "transaction \(id) is not one of this account")
    }
    let lineage = lineage(of: record)
    if users(ofLineage: lineage).contains(token) { return AccountDecision() }
    if let owner = user(ofLineage: lineage) {
      switch context.world.claimPolicy {
      case .keep:
        throw .refused(
          .alreadyClaimed, "transaction \(id) belongs to user \(owner.uuidString.lowercased()) already and stays there")
      case .transfer: break
      case .share:
        return AccountDecision([
          AccountEvent(.claimed, detail: .sharedClaim(lineages: [lineage], appAccountToken: token))
        ])
      }
    }
    return AccountDecision([AccountEvent(.claimed, detail: .claim(lineages: [lineage], appAccountToken: token))])
  }

  /// Apple: Set App Account Token. The current period and the later ones have the new token, past ones keep theirs; the
  /// lineage belongs to the token's user from then on, whoever has claimed it before.
  func decideToken(_ request: SetAppAccountToken) throws(WireError) -> AccountDecision {
    let id = request.originalTransactionId
    let token = request.appAccountToken
    guard let named = history[id] else {
      throw .refused(.unknownTransaction, "transaction \(id) is not one of this account")
    }
    guard named.inAppOwnershipType == .purchased else {
      throw .refused(.notYours, "transaction \(id) is shared by the family: only its purchaser's can have a token")
    }
    guard named.originalTransactionId == id else {
      throw .refused(
        .notOriginalTransaction,
        "transaction \(id) is a later one: name the original one, \(named.originalTransactionId)")
    }
    let current = latest(ofLineage: id) ?? named
    let info = history.renewalInfos[id]
    let records = current.appAccountToken == token ? [] : [current.revised { $0.appAccountToken = token }]
    let infos = info.map { $0.appAccountToken == token ? [] : [$0.revised { $0.appAccountToken = token }] } ?? []
    guard !records.isEmpty || !infos.isEmpty || user(ofLineage: id) != token else { return AccountDecision() }
    return AccountDecision([
      AccountEvent(
        .appAccountTokenSet, records: records, renewalInfos: infos,
        detail: .claim(lineages: [id], appAccountToken: token))
    ])
  }

  func decideStorefront(_ request: SetStorefront, in context: StoreContext) throws(WireError) -> AccountDecision {
    try AccountProfile.check(storefront: request.storefront)
    guard request.storefront != storefront ?? context.world.storefront else { return AccountDecision() }
    return AccountDecision([AccountEvent(.storefrontChanged, detail: .storefront(request.storefront))])
  }
}
