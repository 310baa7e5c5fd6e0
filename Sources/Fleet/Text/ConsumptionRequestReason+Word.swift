package import Wire

extension ConsumptionRequestReason {
  /// As people write it: `unintendedPurchase`.
  package var word: String { "\(self)" }

  package static var words: [String] { allCases.map(\.word) }

  package init?(word: String) {
    guard let reason = ConsumptionRequestReason.allCases.first(where: { $0.word == word }) else { return nil }
    self = reason
  }
}
