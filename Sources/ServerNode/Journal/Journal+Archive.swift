package import Wire

extension Journal {
  /// What an account asks for of what it does not keep in memory.
  package func archived(_ wanted: ArchivedRecords, of actor: ActorAddress) throws(JournalError) -> [StoredRecord] {
    switch wanted {
    case .ids(let ids): try records(of: actor, ids: ids)
    case .product(let product): try records(of: actor, matching: .all(ofProducts: [product])).records
    case .all: try records(of: actor, matching: .all()).records
    }
  }
}
