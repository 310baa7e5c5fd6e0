import Shared
import Wire

/// Steps that act on an account as a whole, and on what the world sells.
extension StepReader {
  func redeem() -> ScenarioAction? {
    let account = known("account", .account)
    guard section.has("code") != section.has("offer") else {
      section.note("a redemption needs either 'code' (an offer's id) or 'offer' (its reference name)")
      return nil
    }
    let code = section.string("code")
    let offer = section.string("offer")
    guard let product = known("redeem", .product), let account, code != nil || offer != nil else { return nil }
    return .account(.redeem(productId: product, code: code, offer: offer), account: account)
  }

  func setToken() -> ScenarioAction? {
    let user = known("setToken", .user)
    let account = known("account", .account)
    guard let product = known("product", .product), let user, let account else { return nil }
    return .account(.setToken(user: user, productId: product), account: account)
  }

  private static let preferences = ["decline": "DECLINE", "full": "GRANT_FULL", "prorated": "GRANT_PRORATED"]

  func consumption() -> ScenarioAction? {
    let account = known("account", .account)
    let percent = section.integer("percent", in: 0...100)
    let word = section.word("prefer", among: StepReader.preferences.keys.sorted())
    let delivery = section.word("delivery", among: ConsumptionRequestV2.deliveryStatuses) ?? "DELIVERED"
    guard let product = known("consumption", .product), let account else { return nil }
    let information = ConsumptionRequestV2(
      deliveryStatus: delivery, consumptionPercentage: percent.map { Int64($0) * 1_000 },
      refundPreference: word.flatMap { StepReader.preferences[$0] })
    return .account(.tellConsumption(productId: product, information), account: account)
  }

  func storefront() -> ScenarioAction? {
    let account = known("account", .account)
    guard let storefront = section.string("storefront"), let account else { return nil }
    if let mistake = StorefrontCode.mistake(in: storefront) {
      section.note(mistake, at: "storefront")
      return nil
    }
    return .account(.moveTo(storefront: storefront), account: account)
  }

  mutating func resetAccount() -> ScenarioAction? {
    guard let account = known("resetAccount", .account) else { return nil }
    stage.leave(account)
    return .account(.reset, account: account)
  }

  mutating func resetWorld() -> ScenarioAction? {
    guard let flag = section.bool("resetWorld") else { return nil }
    guard flag else {
      section.note("'resetWorld' is false, which does nothing: write {resetWorld: true}", at: "resetWorld")
      return nil
    }
    stage.endAllFamilies()
    return .resetWorld
  }

  func hideApp() -> ScenarioAction? {
    let on = section.bool("on") ?? true
    guard let account = known("hideApp", .account), let family = family(of: account, key: "hideApp") else { return nil }
    return .hideApp(account: account, family: family, hidden: on)
  }

  func purchaseSharing() -> ScenarioAction? {
    let on = section.required("on", section.bool)
    guard let family = known("purchaseSharing", .family), let on else { return nil }
    return .purchaseSharing(family: family, on: on)
  }

  func makeShareable() -> ScenarioAction? { known("familyShareable", .product).map { .makeShareable(productId: $0) } }
}
