import Shared

/// The commands that bring an account into a state, counted back from the instant at which the story begins.
struct StartPlan {
  let account: String
  let product: CatalogProduct
  let world: ScenarioWorld
  let begin: StoreTime

  func commands(_ kind: ScenarioState.Kind, _ time: Duration) throws(ImpossibleState) -> [ScenarioPrelude] {
    let milliseconds = time.wholeMilliseconds
    let ago = begin.advanced(by: -milliseconds)
    switch kind {
    case .owns: return [command(.buy, at: ago)]
    case .refunded: return [command(.buy, at: ago.advanced(by: -StartPlan.refundDelay)), command(.refund, at: ago)]
    case .trial: return [command(.buy, at: try trialStart(endingAt: begin.advanced(by: milliseconds)))]
    case .lapsed: return try paid(endingAt: ago, then: .cancel)
    case .grace, .retry:
      try checkFailed(kind, for: milliseconds)
      return try paid(endingAt: ago, then: .failBilling)
    case .memberOf: return []
    }
  }

  /// The same forward in time, with the purchase at `begin`, and the instant at which the account is in the state.
  func forward(
    _ kind: ScenarioState.Kind, _ time: Duration
  ) throws(ImpossibleState) -> (commands: [ScenarioPrelude], end: StoreTime) {
    let milliseconds = time.wholeMilliseconds
    let buy = command(.buy, at: begin)
    switch kind {
    case .memberOf: return ([], begin)
    case .owns: return ([buy], begin.advanced(by: milliseconds))
    case .refunded:
      let refund = begin.advanced(by: StartPlan.refundDelay)
      return ([buy, command(.refund, at: refund)], refund.advanced(by: milliseconds))
    case .trial:
      let trial = try trial()
      let end = world.timeRate.end(ofOffer: trial.period, count: trial.periodCount, from: begin)
        .advanced(by: -milliseconds)
      guard end >= begin else { throw shorterTrial }
      return ([buy], end)
    case .lapsed, .grace, .retry:
      try checkFailed(kind, for: milliseconds)
      let paid = paidPeriod(of: try terms(), boughtAt: begin)
      let next = command(kind == .lapsed ? .cancel : .failBilling, at: paid.begin)
      return ([buy, next], paid.end.advanced(by: milliseconds))
    }
  }

  /// Whether a renewal that failed so long ago leaves the subscription in grace, or in billing retry.
  private func checkFailed(_ kind: ScenarioState.Kind, for milliseconds: Int64) throws(ImpossibleState) {
    if kind == .grace {
      let length = try graceLength()
      guard milliseconds < length else {
        throw ImpossibleState(
          message: "the grace period lasts \(text(length)), so nobody is in it for \(text(milliseconds))")
      }
    }
    if kind == .retry {
      let grace = world.gracePeriod == nil ? 0 : try graceLength()
      guard milliseconds >= grace, milliseconds < world.timeRate.retryMilliseconds else {
        throw ImpossibleState(
          message: "billing is tried again from \(text(grace)) to \(text(world.timeRate.retryMilliseconds)) after the "
            + "renewal failed, so not for \(text(milliseconds))")
      }
    }
  }

  private var shorterTrial: ImpossibleState {
    ImpossibleState(message: "the free trial of '\(product.id)' is shorter than that")
  }

  /// From a purchase to its refund.
  private static let refundDelay: Int64 = 3_600_000

  private func command(_ command: ScenarioPrelude.Command, at time: StoreTime) -> ScenarioPrelude {
    ScenarioPrelude(at: time, account: account, productId: product.id, command: command)
  }

  private func text(_ milliseconds: Int64) -> String { DurationText.format(.milliseconds(milliseconds)) }

  private func terms() throws(ImpossibleState) -> SubscriptionTerms {
    guard let terms = product.subscription else {
      throw ImpossibleState(message: "'\(product.id)' is no auto-renewable subscription")
    }
    return terms
  }

  private var graceAdvice: String {
    // A world that was read from a file has a name.
    "the world has no grace period: "
      + (world.name.isEmpty ? "make it with one, '--grace-period 16'" : "write world: {gracePeriod: 16}")
  }

  private func graceLength() throws(ImpossibleState) -> Int64 {
    guard let grace = world.gracePeriod else {
      throw ImpossibleState(message: graceAdvice)
    }
    return world.timeRate.graceMilliseconds(of: grace, period: try terms().period)
  }

  // MARK: Dates

  private func trial() throws(ImpossibleState) -> SubscriptionOffer {
    guard let trial = try terms().introductoryOffers.first, trial.paymentMode == .freeTrial else {
      throw ImpossibleState(message: "'\(product.id)' has no free trial")
    }
    return trial
  }

  private func trialStart(endingAt end: StoreTime) throws(ImpossibleState) -> StoreTime {
    let trial = try trial()
    let start = try start(endingAt: end) {
      world.timeRate.end(ofOffer: trial.period, count: trial.periodCount, from: $0)
    }
    guard start <= begin else { throw shorterTrial }
    return start
  }

  /// A purchase whose first paid period ends then. `command` follows when that period begins.
  private func paid(
    endingAt end: StoreTime, then command: ScenarioPrelude.Command
  ) throws(ImpossibleState) -> [ScenarioPrelude] {
    let terms = try terms()
    let start = try start(endingAt: end) { paidPeriod(of: terms, boughtAt: $0).end }
    return [
      self.command(.buy, at: start),
      self.command(command, at: paidPeriod(of: terms, boughtAt: start).begin),
    ]
  }

  private func paidPeriod(of terms: SubscriptionTerms, boughtAt start: StoreTime) -> (begin: StoreTime, end: StoreTime)
  {
    let rate = world.timeRate
    guard let offer = terms.introductoryOffers.first else { return (start, rate.end(of: terms.period, from: start)) }
    switch offer.paymentMode {
    case .freeTrial:
      let begin = rate.end(ofOffer: offer.period, count: offer.periodCount, from: start)
      return (begin, rate.end(of: terms.period, from: begin))
    case .payUpFront: return (start, rate.end(ofOffer: offer.period, count: offer.periodCount, from: start))
    case .payAsYouGo: return (start, rate.end(of: offer.period, from: start))
    }
  }

  /// The latest start of what ends exactly then. Months are of several lengths, so it is looked for by halves.
  private func start(endingAt end: StoreTime, _ endOf: (StoreTime) -> StoreTime) throws(ImpossibleState) -> StoreTime {
    // No offer or period of a catalogue that anyone waits for is longer than this many years.
    var low = end.milliseconds - 20 * 366 * 86_400_000
    var high = end.milliseconds
    while low < high {
      let middle = low + (high - low + 1) / 2
      if endOf(StoreTime(milliseconds: middle)) <= end { low = middle } else { high = middle - 1 }
    }
    let start = StoreTime(milliseconds: low)
    guard endOf(start) == end else {
      throw ImpossibleState(message: "no period of '\(product.id)' ends exactly on \(end): say a few days more or less")
    }
    return start
  }
}
