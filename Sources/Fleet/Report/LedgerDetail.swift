import Foundation
import Shared
import Wire

/// What a journal event says besides transactions, where it says something.
struct LedgerDetail: Decodable {
  /// A purchase that waits for the family organiser.
  struct Pending: Decodable {
    struct Wanted: Decodable {
      var productId: String
    }

    var purchase: Wanted
  }

  var family: String?
  var productId: String?
  var fails: Bool?
  var transactionId: TransactionID?
  var lineages: [TransactionID]?
  var lineage: TransactionID?
  var request: Pending?
  var answerBy: StoreTime?
  var requestReason: String?
  var information: ConsumptionInformation?
  var storefront: String?

  private struct Body: Decodable {
    var detail: LedgerDetail?
  }

  static func read(_ text: String) -> LedgerDetail {
    (try? JSONDecoder().decode(Body.self, from: Data(text.utf8)))?.detail ?? LedgerDetail()
  }
}
