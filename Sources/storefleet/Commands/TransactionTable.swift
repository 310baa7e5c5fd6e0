import Fleet
import Shared

/// The transactions of an account as a table.
enum TransactionTable {
  /// A transaction for programs: the record, and the refund request that waits.
  struct Line: Encodable {
    private enum Key: String, CodingKey {
      case refundRequest
    }

    private let record: TransactionRecord
    private let refundRequest: AccountHistory.OpenRefund?

    init(_ record: TransactionRecord, _ history: AccountHistory) {
      self.record = record
      refundRequest = history.refundRequests[record.transactionId]
    }

    func encode(to encoder: any Encoder) throws {
      try record.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encodeIfPresent(refundRequest, forKey: .refundRequest)
    }
  }

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
        words(record, history.refundRequests[record.transactionId]),
      ])
    }
    return table.lines(fitting: Terminal.width)
  }

  static func words(_ record: TransactionRecord, _ refund: AccountHistory.OpenRefund? = nil) -> String {
    var words: [String] = []
    if record.inAppOwnershipType == .familyShared { words.append("shared by the family") }
    if record.offer?.discountType == "FREE_TRIAL" { words.append("free trial") }
    if record.transactionReason == .renewal { words.append("renewal") }
    if record.quantity > 1 { words.append("× \(record.quantity)") }
    if record.isUpgraded { words.append("upgraded") }
    if let revocation = record.revocation {
      words.append(revocation.type == "FAMILY_REVOKE" ? "no longer shared" : "refunded \(revocation.date)")
    }
    if let refund {
      let question = refund.answerBy.map {
        refund.isAnswered ? ", backend has answered" : ", backend asked until \($0)"
      }
      words.append("refund requested" + (question ?? ""))
    }
    if !record.isFinished { words.append("unfinished") }
    return words.isEmpty ? "bought" : words.joined(separator: ", ")
  }
}
