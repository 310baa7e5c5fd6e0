import Foundation
import HTTPServer
import ServerNode
import Shared
import Wire

/// A request that was let in, and what its answer is made with.
struct APICall: Sendable {
  let request: HTTPRequest
  let world: APIWorld
  let base: APIBase
  let node: any StoreNode

  /// Whose an id is.
  struct Owner: Sendable {
    var ordinal: UInt64
    var account: ActorAddress
    var appTransactionId: String { StoreNumbers.appTransactionId(ordinal: ordinal).description }
  }

  // MARK: Finding

  /// The transaction that `{name}` in the path is the id of.
  func transaction(
    at name: String, malformed: APIError = .invalidTransactionId, app: APIError = .appTransactionIdNotSupported,
    missing: APIError = .transactionIdNotFound
  ) async throws -> KnownTransaction {
    guard let id = APITransactionID(request.parameters[name]) else { throw malformed }
    guard case .transaction(let id) = id else { throw app }
    guard let known = try await find(id) else { throw missing }
    return known
  }

  /// The customer that any of the ids in the path belongs to.
  func owner(at name: String = "id", missing: APIError = .transactionIdNotFound) async throws -> Owner {
    guard let id = APITransactionID(request.parameters[name]) else { throw APIError.invalidTransactionId }
    guard world.isServed(at: base), let ordinal = id.ordinal else { throw missing }
    switch id {
    case .app:
      guard let account = try await account(ordinal) else { throw missing }
      return Owner(ordinal: ordinal, account: account)
    case .transaction(let id):
      guard let known = try await find(id) else { throw missing }
      return Owner(ordinal: ordinal, account: known.account)
    }
  }

  /// Nil for what is not in this world, or not at this base.
  func find(_ id: TransactionID) async throws -> KnownTransaction? {
    guard world.isServed(at: base) else { return nil }
    if let known = node.atHand(id, in: world.name) { return known }
    guard let ordinal = StoreNumbers.ordinal(of: id), let account = try await account(ordinal) else { return nil }
    return try await node.transaction(id, of: account)
  }

  private func account(_ ordinal: UInt64) async throws -> ActorAddress? {
    try await node.ask(LocateAccount(ordinal: ordinal), of: world.address).account.map { world.account($0) }
  }

  // MARK: Signing

  /// What the world's clock shows.
  func clock() async throws -> StoreTime {
    guard let now = await node.now(in: world.name) else { throw APIError.generalInternalRetryable }
    return now
  }

  /// The copies of all subjects, in order; what is not kept is signed now.
  func signed(_ subjects: [SignedSubject]) async throws -> [Data] {
    let kept = subjects.map { world.signatures[$0.key] }
    guard kept.contains(nil) else { return kept.compactMap { $0 } }
    let now = try await clock()
    return try zip(subjects, kept).map { subject, copy in try copy ?? sign(subject, at: now) }
  }

  private func sign(_ subject: SignedSubject, at now: StoreTime) throws -> Data {
    let copy = try node.sign(subject.payload(world.identity, signedDate: now), for: world.name)
    world.signatures[subject.key] = copy
    return copy
  }

  func signed(_ records: [TransactionRecord]) async throws -> [String] {
    try await signed(records.map { SignedSubject.transaction($0) }).map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: Answering

  /// What the store says no with, as the API says it; everything else is passed on.
  func mapping<Value>(_ errors: [Refusal: APIError], _ body: () async throws(WireError) -> Value) async throws -> Value
  {
    do { return try await body() } catch {
      if let refusal = error.refusal, let error = errors[refusal] { throw error }
      throw error
    }
  }
}
