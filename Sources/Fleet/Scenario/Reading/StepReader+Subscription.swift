import Shared
import Wire

/// Steps that act on subscriptions and on money.
extension StepReader {
  func refund() -> ScenarioAction? {
    let reasons = ["other", "appIssue"]
    let reason = section.word("reason", among: reasons).flatMap(reasons.firstIndex)
    let percent = section.integer("percent", in: 1...100)
    guard let product = known("refund", .product), let account = known("account", .account) else { return nil }
    return .refund(productId: product, account: account, reason: reason ?? 0, percent: percent)
  }

  func requestRefund() -> ScenarioAction? {
    let account = known("account", .account)
    let reason = section.word("reason", among: ConsumptionRequestReason.words).flatMap(
      ConsumptionRequestReason.init(word:))
    guard let product = known("requestRefund", .product), let account else { return nil }
    return .subscription(.requestRefund(productId: product, reason: reason), account: account)
  }

  func refundPart(_ key: String, _ make: (String) -> SubscriptionAction) -> ScenarioAction? {
    let account = known("account", .account)
    guard let product = known(key, .product), let account else { return nil }
    return .subscription(make(product), account: account)
  }

  func bill() -> ScenarioAction? {
    let account = known("account", .account)
    let product = section.has("product") ? known("product", .product) : nil
    guard let word = section.word("bill", among: ["fail", "recover"]), let account else { return nil }
    return .subscription(.bill(fails: word == "fail", productId: product), account: account)
  }

  /// A product begins an increase; `agree` and `decline` answer one.
  func priceIncrease() -> ScenarioAction? {
    let account = known("account", .account)
    guard let word = section.string("priceIncrease") else { return nil }
    if word == "agree" || word == "decline" {
      for key in ["to", "consent"] where section.has(key) {
        section.note("'\(key)' belongs to the increase, not to the answer", at: key)
      }
      let product = section.has("product") ? known("product", .product) : nil
      return account.map { .subscription(.answerPrice(agree: word == "agree", productId: product), account: $0) }
    }
    let consent = section.bool("consent") ?? false
    let milliunits = section.required("to") { key in section.string(key).flatMap { price($0, at: key) } }
    guard let product = known("priceIncrease", .product), let account, let milliunits else { return nil }
    return .subscription(
      .raisePrice(productId: product, milliunits: milliunits, needsConsent: consent), account: account)
  }

  private func price(_ text: String, at key: String) -> Int64? {
    if let price = Milliunits.parse(text) { return price }
    section.note("'\(key)' is \(ScenarioSection.quoted(text)): expected a price such as \"6.99\"", at: key)
    return nil
  }

  func extend() -> ScenarioAction? {
    // In the order of Apple's extendReasonCode.
    let reasons = ["undeclared", "customerSatisfaction", "other", "outage"]
    let reason = section.word("reason", among: reasons).flatMap(reasons.firstIndex)
    let days = section.required("days") { section.integer($0, in: ExtendSubscription.daysAllowed) }
    let account = known("account", .account)
    guard let product = known("extend", .product), let account, let days else { return nil }
    return .subscription(.extend(productId: product, days: days, reason: reason ?? 0), account: account)
  }

  func timeRate() -> ScenarioAction? { section.choice("timeRate", TimeRate.self).map { .timeRate($0) } }
}
