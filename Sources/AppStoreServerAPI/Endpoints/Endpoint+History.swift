import HTTPServer
import ServerNode
import Shared

/// Endpoints that page through a customer's transactions.
extension Endpoint {
  static let history = [
    Endpoint(.get, "/inApps/v1/history/{id}") { try await $0.history(.v1) },
    Endpoint(.get, "/inApps/v2/history/{id}") { try await $0.history(.v2) },
    Endpoint(.get, "/inApps/v2/refund/lookup/{id}", .lookUp) { try await $0.refunds() },
    Endpoint(.get, "/inApps/v1/refund/lookup/{id}", .lookUp) { try await $0.firstRefunds() },
  ]
}

extension APICall {
  /// Some records that are wanted, and where the list goes on.
  private struct Page {
    var records: [TransactionRecord] = []
    var cursor: UInt64?
    var hasMore = true
  }

  fileprivate func history(_ version: HistoryRequest.Version) async throws -> HTTPResponse {
    let owner = try await owner()
    let wanted = try HistoryRequest(version, request, ordinal: owner.ordinal)
    let page = try await page(owner, after: wanted.after, HistoryRequest.pageCount) { cursor, count in
      wanted.query(after: cursor, count: count)
    } isWanted: {
      wanted.wants($0)
    }
    let signed = try await signed(page.records)
    let revision = Revision(wanted.list, ordinal: owner.ordinal, change: page.cursor)
    return APIAnswer.object(capacity: 5_000 * (signed.count + 1)) {
      $0.put("revision", revision.text)
      $0.put("hasMore", page.hasMore)
      $0.put("bundleId", world.identity.bundleId)
      $0.put("appAppleId", world.identity.appAppleId)
      $0.put("environment", world.identity.environment)
      $0.putAll("signedTransactions", signed)
    }
  }

  fileprivate func refunds() async throws -> HTTPResponse {
    let owner = try await owner()
    let after = try request.query("revision").map { text throws(APIError) in
      try Revision(text, list: .refunds, ordinal: owner.ordinal).change
    }
    let page = try await page(
      owner, after: after ?? nil, HistoryRequest.pageCount, APICall.refundQuery, isWanted: APICall.isRefund)
    let signed = try await signed(page.records.sorted(by: APICall.isRefundedBefore))
    let revision = Revision(.refunds, ordinal: owner.ordinal, change: page.cursor)
    return APIAnswer.object(capacity: 5_000 * (signed.count + 1)) {
      $0.put("revision", revision.text)
      $0.put("hasMore", page.hasMore)
      $0.putAll("signedTransactions", signed)
    }
  }

  /// The first version has no pages.
  fileprivate func firstRefunds() async throws -> HTTPResponse {
    let known = try await transaction(
      at: "id", malformed: .invalidOriginalTransactionId, app: .invalidOriginalTransactionId,
      missing: .originalTransactionIdNotFound)
    guard let ordinal = StoreNumbers.ordinal(of: known.record.transactionId) else {
      throw APIError.originalTransactionIdNotFound
    }
    let owner = Owner(ordinal: ordinal, account: known.account)
    let most = 50
    let page = try await page(owner, after: nil, most, APICall.refundQuery, isWanted: APICall.isRefund)
    let signed = try await signed(page.records.sorted(by: APICall.isRefundedBefore))
    return APIAnswer.object(capacity: 5_000 * (signed.count + 1)) { $0.putAll("signedTransactions", signed) }
  }

  /// Access that a family lost is no refund.
  private static let isRefund: @Sendable (TransactionRecord) -> Bool = { record in
    record.revocation.map { $0.type != "FAMILY_REVOKE" } ?? false
  }

  private static let refundQuery: @Sendable (UInt64?, Int) -> RecordQuery = { cursor, count in
    RecordQuery(after: cursor, limit: count, isRevoked: true)
  }

  private static func isRefundedBefore(_ left: TransactionRecord, _ right: TransactionRecord) -> Bool {
    guard let first = left.revocation?.date, let second = right.revocation?.date else { return false }
    return first != second ? first < second : left.transactionId < right.transactionId
  }

  /// The journal's pages until `count` records are wanted, or a bounded number of rows has been looked at: what is then
  /// short of `count` says that there is more.
  private func page(
    _ owner: Owner, after start: UInt64?, _ count: Int, _ query: (UInt64?, Int) -> RecordQuery,
    isWanted: (TransactionRecord) -> Bool
  ) async throws -> Page {
    var page = Page(cursor: start)
    for _ in 0..<APICall.mostReads where page.hasMore && page.records.count < count {
      let read = try await node.records(
        of: owner.account, matching: query(page.cursor, count - page.records.count))
      page.records += try read.records.map { try $0.record() }.filter(isWanted)
      page.cursor = read.cursor
      page.hasMore = read.hasMore
    }
    return page
  }

  /// How often the journal is asked for one page.
  private static var mostReads: Int { 50 }
}
