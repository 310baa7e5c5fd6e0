package import Foundation
package import Shared
package import Wire

/// What is looked up beside the node's actors: what is on disk, and the keys of worlds.
extension StoreServer {
  /// A transaction that was read lately, as it still is.
  package nonisolated func atHand(_ id: TransactionID, in world: String) -> KnownTransaction? {
    transactions.find(id, in: world)
  }

  /// A transaction of an account as it is on disk; nil when the account has none such.
  package nonisolated func transaction(
    _ id: TransactionID, of account: ActorAddress
  ) async throws(WireError) -> KnownTransaction? {
    let stamp = transactions.stamp(of: id)
    let stored = await withCheckedContinuation { continuation in
      journal.archived(.ids([id]), of: account) { continuation.resume(returning: $0) }
    }
    guard let row = try stored.mapError({ WireError(.unavailable, $0.message) }).get().first else { return nil }
    let record: TransactionRecord
    do { record = try row.record() } catch {
      throw WireError(.internalError, "transaction \(id) of \(account) cannot be read: \(DecodingText.of(error))")
    }
    let known = KnownTransaction(record, of: account)
    transactions.keep(known, since: stamp)
    return known
  }

  /// Transactions of an account as they are on disk, in the order of their last modification.
  package nonisolated func records(
    of account: ActorAddress, matching query: RecordQuery
  ) async throws(WireError) -> RecordPage {
    let page = await withCheckedContinuation { continuation in
      journal.records(of: account, matching: query) { continuation.resume(returning: $0) }
    }
    return try page.mapError { WireError(.unavailable, $0.message) }.get()
  }

  /// Signs for a world whose authority is open, on the caller's thread.
  package nonisolated func sign(_ payload: Data, for world: String) throws(ServerNodeError) -> Data {
    try signing.sign(payload, for: world)
  }

  /// The key with which a developer's server calls the App Store Server API for a world.
  package nonisolated func apiKey(of world: String) async throws(ServerNodeError) -> APIKey {
    let key = await withCheckedContinuation { continuation in
      signing.openAPIKey(of: world) { continuation.resume(returning: $0) }
    }
    return try key.get()
  }

  /// Forgets what commits have changed. Called on the journal's thread, before anybody hears of them.
  nonisolated func forget(changedBy appends: [JournalAppend]) {
    for append in appends {
      if append.forgetsRecords { transactions.forgetAll(in: append.actor.world) }
      transactions.forget(append.records.map(\.id), in: append.actor.world)
    }
  }
}

extension StoreServer {
  /// The path below the HTTP base URL at which worlds' certificates are asked about: `/ocsp/WORLD`.
  package static let ocspPath = "/ocsp"

  /// The answer to an OCSP request about a world's certificates; nil for a world that is not open.
  package nonisolated func answerOCSP(_ request: Data, for world: String) throws(ServerNodeError) -> Data? {
    try signing.answerOCSP(request, for: world)
  }
}
