import Foundation
import Shared

/// The part of a journal event's JSON that says what became of transactions; other keys are passed over.
struct LedgerBody: Decodable {
  var records: [TransactionRecord]
  var renewalInfos: [RenewalInfo]
  var finished: [TransactionID]

  private enum Key: String, CodingKey {
    case records, renewalInfos, finished
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    records = try container.decodeIfPresent([TransactionRecord].self, forKey: .records) ?? []
    renewalInfos = try container.decodeIfPresent([RenewalInfo].self, forKey: .renewalInfos) ?? []
    finished = try container.decodeIfPresent([TransactionID].self, forKey: .finished) ?? []
  }

  static func read(_ text: String) throws -> LedgerBody {
    try JSONDecoder().decode(LedgerBody.self, from: Data(text.utf8))
  }
}
