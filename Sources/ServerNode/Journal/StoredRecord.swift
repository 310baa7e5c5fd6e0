package import Foundation
package import Shared

/// A transaction as it was left by its account's last event about it, kept beside the events so that old ones can be
/// read without replaying anything.
package struct StoredRecord: Hashable, Sendable {
  package var id: TransactionID
  /// When it was last modified: counts from 1 in each account, one for each record that an append stores. Set by the
  /// journal. Every modification gives the record a higher number than any other of the account has.
  package var change: UInt64
  package var productId: String
  package var type: ProductType
  package var group: String?
  package var purchased: StoreTime
  package var isShared: Bool
  package var isRevoked: Bool
  /// The `TransactionRecord`, JSON.
  package var body: Data

  /// `body` is the record's JSON.
  package init(_ record: TransactionRecord, change: UInt64 = 0, body: Data) {
    id = record.transactionId
    self.change = change
    productId = record.productId
    type = record.type
    group = record.subscriptionGroupIdentifier
    purchased = record.purchaseDate
    isShared = record.inAppOwnershipType != .purchased
    isRevoked = record.revocation != nil
    self.body = body
  }

  package init(
    id: TransactionID, change: UInt64, productId: String, type: ProductType, group: String?, purchased: StoreTime,
    isShared: Bool, isRevoked: Bool, body: Data
  ) {
    self.id = id
    self.change = change
    self.productId = productId
    self.type = type
    self.group = group
    self.purchased = purchased
    self.isShared = isShared
    self.isRevoked = isRevoked
    self.body = body
  }

  package func record() throws -> TransactionRecord {
    try JSONDecoder().decode(TransactionRecord.self, from: body)
  }
}
