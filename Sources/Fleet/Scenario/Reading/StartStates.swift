package import Shared

/// The states of one account, seen together: each alone can be reached, and yet they may exclude each other.
package struct StartStates {
  private struct Span {
    var kind: ScenarioState.Kind
    var product: CatalogProduct
    var begin: StoreTime
    /// When the subscription is over; nil where it goes on.
    var end: StoreTime?
  }

  private let account: String
  private var spans: [String: [Span]] = [:]

  package init(account: String) { self.account = account }

  /// - Parameters:
  ///   - commands: What brings the account into the state.
  ///   - begin: When the story begins.
  /// - Throws: one sentence, where the state cannot be had beside those that were added before.
  package mutating func add(
    _ kind: ScenarioState.Kind, _ time: Duration, _ product: CatalogProduct, _ commands: [ScenarioPrelude],
    until begin: StoreTime
  ) throws(ImpossibleState) {
    guard let group = product.subscription?.groupID, let first = commands.first else { return }
    let isOver = kind == .lapsed || kind == .refunded
    let end = isOver ? begin.advanced(by: -time.wholeMilliseconds) : nil
    let span = Span(kind: kind, product: product, begin: first.at, end: end)
    for other in spans[group] ?? [] {
      let (earlier, later) = other.begin <= span.begin ? (other, span) : (span, other)
      try check(earlier, later)
    }
    spans[group, default: []].append(span)
  }

  private func check(_ earlier: Span, _ later: Span) throws(ImpossibleState) {
    guard let end = earlier.end, end <= later.begin else {
      throw ImpossibleState(
        message:
          "'\(account)' cannot have '\(earlier.product.id)' and '\(later.product.id)' of one subscription group at a "
          + "time: let one of them be over before the other begins")
    }
    let hasOffer = [earlier, later].allSatisfy { $0.product.subscription?.introductoryOffers.isEmpty == false }
    // Its dates would be those of a purchase with the offer.
    guard !hasOffer || later.kind == .owns || later.kind == .refunded else {
      throw ImpossibleState(
        message:
          "'\(account)' had the introductory offer of the subscription group with '\(earlier.product.id)', so there is "
          + "none left for '\(later.product.id)': drop one of the states, or use a plan without such an offer")
    }
  }
}
