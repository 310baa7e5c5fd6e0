import Shared
import Wire

/// Steps that act on the store.
extension StepReader {
  func buy() -> ScenarioAction? {
    let product = known("buy", .product)
    let expected = section.choice("expect", ScenarioAction.PurchaseOutcome.self)
    let quantity = section.integer("quantity", in: 1...10) ?? 1
    let waits = section.bool("wait") ?? true
    guard section.has("on") != section.has("account") else {
      section.note("a purchase needs either 'on' (a device) or 'account' (in the App Store itself)")
      return nil
    }
    if section.has("account") {
      guard let product, let account = known("account", .account) else { return nil }
      return .buy(
        .init(productId: product, by: .account(account), quantity: quantity, waits: true, expected: expected))
    }
    guard let product, let device = known("on", .device) else { return nil }
    let gate = stage.heldGate(on: device)
    let waitsForEnd = waits && gate == nil
    if let expected, !waitsForEnd {
      section.note(
        "the outcome '\(expected.rawValue)' cannot be expected of a purchase that is not waited for: "
          + "release '\(gate?.rawValue ?? "finish")' on '\(device)' and leave out 'wait' first, or drop 'expect'",
        at: "expect")
    }
    return .buy(
      .init(productId: product, by: .device(device), quantity: quantity, waits: waitsForEnd, expected: expected))
  }

  func answer(approve: Bool, key: String) -> ScenarioAction? {
    let account = known("account", .account)
    if case .bool(let flag)? = section.members[key]?.value, flag {
      return account.map { .answerAskToBuy(approve: approve, productId: nil, account: $0) }
    }
    guard let product = known(key, .product), let account else { return nil }
    return .answerAskToBuy(approve: approve, productId: product, account: account)
  }

  func autoRenew() -> ScenarioAction? {
    let on = section.required("on", section.bool)
    guard let product = known("autoRenew", .product), let account = known("account", .account), let on else {
      return nil
    }
    return .autoRenew(productId: product, on: on, account: account)
  }

  // MARK: Families

  mutating func join() -> ScenarioAction? {
    let family = known("family", .family)
    guard let account = known("join", .account), let family else { return nil }
    if let other = stage.membership[account] {
      section.note("'\(account)' is in the family '\(other)' at this point: let it leave first", at: "join")
      return nil
    }
    guard !stage.hasEnded(family) else {
      section.note("the family '\(family)' has ended at this point: nobody can join it", at: "family")
      return nil
    }
    stage.join(account, family)
    return .join(account: account, family: family)
  }

  mutating func leave() -> ScenarioAction? {
    guard let account = known("leave", .account), let family = family(of: account, key: "leave") else { return nil }
    stage.leave(account)
    return .leave(account: account, family: family)
  }

  func share() -> ScenarioAction? {
    let on = section.required("on", section.bool)
    guard let node = section.members["share"],
      let shared = ScenarioSection(
        node, place: section.place, findings: section.findings, expected: "{account: …, product: …}")
    else { return nil }
    shared.allow(["account", "product"])
    let product = known("product", .product, in: shared)
    guard let account = known("account", .account, in: shared), let family = family(of: account, key: "share"),
      let product, let on
    else { return nil }
    return .share(productId: product, on: on, account: account, family: family)
  }

  /// The family that an account is in at this point; `family` may say it, and must then be right.
  func family(of account: String, key: String) -> String? {
    guard let family = stage.membership[account] else {
      section.note("'\(account)' is in no family at this point", at: key)
      return nil
    }
    guard section.has("family") else { return family }
    guard let named = known("family", .family) else { return nil }
    guard named == family else {
      section.note("'\(account)' is in the family '\(family)' at this point, not in '\(named)'", at: "family")
      return nil
    }
    return family
  }
}
