/// Some records of an account, in the order that was asked for.
package struct RecordPage: Hashable, Sendable {
  package var records: [StoredRecord]
  /// Where the next page begins: the change of the last record that was looked at, or where this page began. It stays
  /// good whatever happens meanwhile: in ascending order, what is modified later comes on a later page.
  package var cursor: UInt64?
  package var hasMore: Bool

  package init(records: [StoredRecord] = [], cursor: UInt64?, hasMore: Bool = false) {
    self.records = records
    self.cursor = cursor
    self.hasMore = hasMore
  }
}
