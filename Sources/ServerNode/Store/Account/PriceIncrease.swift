/// A price that goes up for one customer with the next renewal.
package struct PriceIncrease: Hashable, Sendable, Codable {
  package enum Answer: String, Hashable, Sendable, Codable {
    /// The customer has to agree, and has not said anything.
    case pending
    /// Agreed, or nobody had to be asked.
    case agreed
    case declined
  }

  package var productId: String
  /// Milliunits for a period.
  package var price: Int64
  package var priceBefore: Int64
  package var answer: Answer

  /// Apple: priceIncreaseStatus.
  var status: Int { answer == .agreed ? 1 : 0 }

  package init(productId: String, price: Int64, priceBefore: Int64, answer: Answer) {
    self.productId = productId
    self.price = price
    self.priceBefore = priceBefore
    self.answer = answer
  }
}
