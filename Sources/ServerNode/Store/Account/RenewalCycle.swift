package import Shared

/// Where a lineage is in its series of periods. Ends are counted from the anchor, so that a plan bought on the 31st
/// goes back to the 31st after a short month.
package struct RenewalCycle: Hashable, Sendable {
  /// The start of the first period that is counted.
  package var anchor: StoreTime
  /// How many periods were begun since the anchor.
  package var periods: Int
  package var period: SubscriptionPeriod
  /// Periods at the offer's price that are still to come (pay as you go).
  package var offerPeriodsLeft: Int
  /// The offer that those periods have.
  package var offer: AppliedOffer?
  /// Milliunits for each of them.
  package var offerPrice: Int64
  /// An offer that begins once the running one is over.
  package var coming: ComingOffer?
  /// How often it has renewed since it was bought.
  package var renewals = 0
  /// When the store stops trying to charge for a renewal that failed.
  package var retryEnds: StoreTime?
  /// The last change of the plan's price that this customer was told of.
  package var priceIncrease: PriceIncrease?

  package init(
    anchor: StoreTime, periods: Int = 1, period: SubscriptionPeriod, offerPeriodsLeft: Int = 0,
    offer: AppliedOffer? = nil, offerPrice: Int64 = 0
  ) {
    self.anchor = anchor
    self.periods = periods
    self.period = period
    self.offerPeriodsLeft = offerPeriodsLeft
    self.offer = offer
    self.offerPrice = offerPrice
  }

  /// What a period of a product costs this customer without an offer. A price that went up stays up for as long as the
  /// subscription goes on.
  package func price(of product: CatalogProduct) -> Int64 {
    guard let priceIncrease, priceIncrease.productId == product.id else { return product.priceMilliunits }
    return priceIncrease.answer == .agreed ? priceIncrease.price : priceIncrease.priceBefore
  }

  /// Begins an offer of a plan at `start`.
  /// - Returns: when its first transaction ends.
  mutating func begin(
    _ started: SubscriptionOffer, at start: StoreTime, planPeriod: SubscriptionPeriod, rate: TimeRate
  ) -> StoreTime {
    switch started.paymentMode {
    case .payAsYouGo:
      beginPeriod(of: started.period, at: start, rate: rate)
      offerPeriodsLeft = started.periodCount - 1
      offer = offerPeriodsLeft > 0 ? AppliedOffer(started) : nil
      offerPrice = offerPeriodsLeft > 0 ? started.priceMilliunits : 0
      return rate.end(of: period, times: periods, from: anchor)
    case .freeTrial, .payUpFront:
      let end = rate.end(ofOffer: started.period, count: started.periodCount, from: start)
      // The plan's own periods are counted from the end of the offer.
      anchor = end
      periods = 0
      period = planPeriod
      offerPeriodsLeft = 0
      offer = nil
      offerPrice = 0
      return end
    }
  }

  /// Begins the next period at `start`: counted on where the count leads there. Another length, a changed rate, an
  /// extension or a late recovery begin a count of their own.
  mutating func beginPeriod(of period: SubscriptionPeriod, at start: StoreTime, rate: TimeRate) {
    let goesOn = self.period == period && rate.end(of: period, times: periods, from: anchor) == start
    if !goesOn {
      anchor = start
      periods = 0
      self.period = period
    }
    periods += 1
  }
}

extension RenewalCycle: Codable {
  private enum CodingKeys: String, CodingKey {
    case anchor, periods, period, offerPeriodsLeft, offer, offerPrice, renewals, retryEnds, priceIncrease, coming
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    anchor = try container.decode(StoreTime.self, forKey: .anchor)
    periods = try container.decode(Int.self, forKey: .periods)
    period = try container.decode(SubscriptionPeriod.self, forKey: .period)
    offerPeriodsLeft = try container.decode(Int.self, forKey: .offerPeriodsLeft)
    offer = try container.decodeIfPresent(AppliedOffer.self, forKey: .offer)
    offerPrice = try container.decode(Int64.self, forKey: .offerPrice)
    // Journals from before renewals were counted have no number.
    renewals = try container.decodeIfPresent(Int.self, forKey: .renewals) ?? 0
    retryEnds = try container.decodeIfPresent(StoreTime.self, forKey: .retryEnds)
    coming = try container.decodeIfPresent(ComingOffer.self, forKey: .coming)
    priceIncrease = try container.decodeIfPresent(PriceIncrease.self, forKey: .priceIncrease)
  }
}
