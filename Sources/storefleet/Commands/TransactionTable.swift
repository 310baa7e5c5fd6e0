import Fleet
import Shared

/// The transactions of an account as a table.
enum TransactionTable {
  static func lines(_ history: AccountHistory) -> [String] {
    var table = Table([
      .init("transaction"), .init("product"), .init("bought"), .init("until"), .init("price", .trailing), .init("what"),
    ])
    for record in history.records {
      let price = Milliunits.text(
        record.price, fractionDigits: StorefrontCurrency.fractionDigits(of: record.currency))
      table.addRow([
        "\(record.transactionId)", record.productId, "\(record.purchaseDate)",
        record.expiresDate.map(\.description) ?? "–", "\(price) \(record.currency)",
        words(record, isFinished: history.finished.contains(record.transactionId)),
      ])
    }
    return table.lines(fitting: Terminal.width)
  }

  static func words(_ record: TransactionRecord, isFinished: Bool) -> String {
    var words: [String] = []
    if record.inAppOwnershipType == .familyShared { words.append("shared by the family") }
    if record.offer?.discountType == "FREE_TRIAL" { words.append("free trial") }
    if record.transactionReason == .renewal { words.append("renewal") }
    if record.quantity > 1 { words.append("× \(record.quantity)") }
    if record.isUpgraded { words.append("upgraded") }
    if let revocation = record.revocation {
      words.append(revocation.type == "FAMILY_REVOKE" ? "no longer shared" : "refunded \(revocation.date)")
    }
    if !isFinished { words.append("unfinished") }
    return words.isEmpty ? "bought" : words.joined(separator: ", ")
  }
}
