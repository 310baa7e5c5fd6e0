import Foundation
import SQLite
import Shared
import Wire

/// What follows from the events and is kept beside them: the records of accounts, and snapshots.
extension SQLiteJournalTables {
  // MARK: Written, inside a transaction of the caller

  /// Each record goes behind all that the account has, with the next change.
  func store(_ records: [StoredRecord], of actor: Int64) throws(SQLiteError) {
    var change = try changeCount(of: actor)
    guard change + UInt64(records.count) <= RowPosition.maximumCount else {
      throw tooMany("changes of one account's records", Int64(RowPosition.maximumCount))
    }
    // The index on ids makes it take the place of the record's row from before.
    let insert = try database.statement("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for record in records {
      change += 1
      try insert.run(
        RowPosition.at(actor, change), actor, Int64(bitPattern: record.id.rawValue), record.productId, record.type.code,
        record.group,
        record.purchased.milliseconds, Int64(record.isShared ? 1 : 0), Int64(record.isRevoked ? 1 : 0), record.body)
    }
    changeCounts[actor] = change
  }

  func store(_ snapshot: Data, of actor: Int64, at: Int64, _ sequence: UInt64) throws(SQLiteError) {
    try database.statement("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)")
      .run(actor, Int64(clamping: sequence), at, snapshot)
  }

  /// The count of changes goes on, so that no reader's place in the old ones means something else in the new ones.
  func forgetRecords(of actor: Int64) throws(SQLiteError) {
    try database.statement("INSERT OR REPLACE INTO changes VALUES (?, ?)")
      .run(actor, Int64(clamping: try changeCount(of: actor)))
    try database.statement("DELETE FROM records WHERE position > ? AND position <= ?")
      .run(RowPosition.before(actor), RowPosition.last(actor))
  }

  private func changeCount(of actor: Int64) throws(SQLiteError) -> UInt64 {
    if let count = changeCounts[actor] { return count }
    let last = try database.statement(
      "SELECT position FROM records WHERE position > ? AND position <= ? ORDER BY position DESC LIMIT 1")
    let before = try database.statement("SELECT count FROM changes WHERE actor = ?")
    let stored = try last.firstRow(RowPosition.before(actor), RowPosition.last(actor)) { row in row.int64(0) }
    return max(RowPosition.count(stored ?? 0), try before.firstRow(actor) { row in row.uint64(0) } ?? 0)
  }

  // MARK: Read

  func records(of actor: ActorAddress, ids: [TransactionID]) throws(SQLiteError) -> [StoredRecord] {
    guard let actor = try id(of: actor) else { return [] }
    let select = try database.statement(
      """
      SELECT position, id, product, type, subscription_group, purchased, shared, revoked, body FROM records
      WHERE actor = ? AND id = ?
      """)
    var records: [StoredRecord] = []
    for id in Set(ids).sorted() {
      if let record = try select.firstRow(actor, Int64(bitPattern: id.rawValue), read: { row in row.record }) {
        records.append(record)
      }
    }
    return records
  }

  func records(of actor: ActorAddress, matching query: RecordQuery) throws(SQLiteError) -> RecordPage {
    var page = RecordPage(cursor: query.after)
    guard let actor = try id(of: actor) else { return page }
    let rows = try looked(query, of: actor)
    for record in rows {
      guard page.records.count < query.limit else { break }
      page.cursor = record.change
      if query.matches(record) { page.records.append(record) }
    }
    let hasUnseen = rows.last.map { $0.change != page.cursor } ?? false
    page.hasMore = hasUnseen
    if !hasUnseen, rows.count >= query.mostLooks {
      page.hasMore = try !looked(query.onward(page.cursor), of: actor).isEmpty
    }
    return page
  }

  /// The rows that a page may look at, in order: filters beyond product and type are not applied yet.
  private func looked(_ query: RecordQuery, of actor: Int64) throws(SQLiteError) -> [StoredRecord] {
    // Without such filters the page is full after `limit` rows; one more tells whether there are others.
    let isPlain = query.isFilteredByIndexAlone
    let most = isPlain ? min(query.mostLooks, query.limit == .max ? .max : max(0, query.limit) + 1) : query.mostLooks
    guard query.products != nil || query.types != nil else {
      return try rows(query, of: actor, product: nil, limit: most)
    }
    // Each product's rows lie in order in the index; merged, they are in order again.
    var merged: [StoredRecord] = []
    for product in try products(of: actor) {
      guard query.products?.contains(product.id) ?? true, query.types?.contains(product.type) ?? true else { continue }
      merged += try rows(query, of: actor, product: product.id, limit: most)
    }
    merged.sort { query.isDescending ? $0.change > $1.change : $0.change < $1.change }
    return Array(merged.prefix(most))
  }

  private func rows(
    _ query: RecordQuery, of actor: Int64, product: String?, limit: Int
  ) throws(SQLiteError) -> [StoredRecord] {
    let (low, high) = query.range(of: actor)
    var records: [StoredRecord] = []
    let limit = Int64(limit)
    switch (product, query.isDescending) {
    case (nil, false):
      try database.statement(
        """
        SELECT position, id, product, type, subscription_group, purchased, shared, revoked, body FROM records
        WHERE position > ? AND position < ? ORDER BY position LIMIT ?
        """
      ).forEachRow(low, high, limit) { row in records.append(row.record) }
    case (nil, true):
      try database.statement(
        """
        SELECT position, id, product, type, subscription_group, purchased, shared, revoked, body FROM records
        WHERE position > ? AND position < ? ORDER BY position DESC LIMIT ?
        """
      ).forEachRow(low, high, limit) { row in records.append(row.record) }
    case (let product?, false):
      try database.statement(
        """
        SELECT position, id, product, type, subscription_group, purchased, shared, revoked, body FROM records
        INDEXED BY records_product
        WHERE actor = ? AND product = ? AND position > ? AND position < ? ORDER BY position LIMIT ?
        """
      ).forEachRow(actor, product, low, high, limit) { row in records.append(row.record) }
    case (let product?, true):
      try database.statement(
        """
        SELECT position, id, product, type, subscription_group, purchased, shared, revoked, body FROM records
        INDEXED BY records_product
        WHERE actor = ? AND product = ? AND position > ? AND position < ? ORDER BY position DESC LIMIT ?
        """
      ).forEachRow(actor, product, low, high, limit) { row in records.append(row.record) }
    }
    return records
  }

  /// The products that an account has records of: one look at the index for each, however many records there are.
  private func products(of actor: Int64) throws(SQLiteError) -> [(id: String, type: ProductType)] {
    let next = try database.statement(
      """
      SELECT product, type FROM records INDEXED BY records_product WHERE actor = ? AND product > ?
      ORDER BY product LIMIT 1
      """)
    let first = try database.statement(
      """
      SELECT product, type FROM records INDEXED BY records_product WHERE actor = ? ORDER BY product LIMIT 1
      """)
    var products: [(id: String, type: ProductType)] = []
    var found = try first.firstRow(actor) { row in (row.string(0), ProductType(code: row.int64(1))) }
    while let (id, type) = found {
      products.append((id, type))
      found = try next.firstRow(actor, id) { row in (row.string(0), ProductType(code: row.int64(1))) }
    }
    return products
  }
}

extension RecordQuery {
  /// Whether every row that the index gives is wanted.
  fileprivate var isFilteredByIndexAlone: Bool {
    groups == nil && purchasedFrom == nil && purchasedUntil == nil && isShared == nil && isRevoked == nil
  }

  /// Whether anything lies behind `cursor`: the same question, for one row.
  fileprivate func onward(_ cursor: UInt64?) -> RecordQuery {
    var query = self
    query.after = cursor
    query.mostLooks = 1
    return query
  }

  /// Positions that the page lies between, both excluded.
  fileprivate func range(of actor: Int64) -> (low: Int64, high: Int64) {
    let end = RowPosition.last(actor) + 1
    guard let after else { return (RowPosition.before(actor), end) }
    let place = RowPosition.at(actor, after)
    return isDescending ? (RowPosition.before(actor), place) : (place, end)
  }
}

extension ProductType {
  /// As files keep it.
  fileprivate var code: Int64 {
    switch self {
    case .consumable: 1
    case .nonConsumable: 2
    case .nonRenewing: 3
    case .autoRenewable: 4
    }
  }

  fileprivate init(code: Int64) {
    switch code {
    case 1: self = .consumable
    case 2: self = .nonConsumable
    case 3: self = .nonRenewing
    default: self = .autoRenewable
    }
  }
}

extension SQLiteRow {
  fileprivate var record: StoredRecord {
    StoredRecord(
      id: TransactionID(UInt64(bitPattern: int64(1))), change: RowPosition.count(int64(0)), productId: string(2),
      type: ProductType(code: int64(3)), group: isNull(4) ? nil : string(4),
      purchased: StoreTime(milliseconds: int64(5)), isShared: int64(6) != 0, isRevoked: int64(7) != 0, body: data(8))
  }
}
