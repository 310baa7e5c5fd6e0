import Shared
import Wire

/// Steps in words, for the progress line.
struct StepText {
  let scenario: Scenario

  func text(_ step: ScenarioStep) -> String { step.say ?? text(step.action) }

  private func text(_ action: ScenarioAction) -> String {
    switch action {
    case .buy(let buy): text(buy)
    case .refund(let product, let account, _, let percent):
      "\(account) gets \(percent.map { "\($0) % back" } ?? "a refund") for \(name(product))"
    case .subscription(let action, let account): text(action, account)
    case .answerAskToBuy(let approve, let product, let account):
      "\(approve ? "approve" : "decline") \(account)'s request" + (product.map { " for \(name($0))" } ?? "")
    case .autoRenew(let product, let on, let account):
      "\(account) turns auto-renew of \(name(product)) \(on ? "on" : "off")"
    case .join(let account, let family): "\(account) joins the family \(family)"
    case .leave(let account, let family): "\(account) leaves the family \(family)"
    case .share(let product, let on, let account, let family):
      "\(account) \(on ? "shares" : "stops sharing") \(name(product)) with the family \(family)"
    case .setOnline(let online, let devices): "\(list(devices)) \(online ? "online" : "offline")"
    case .kill(let devices): "kill the app on \(list(devices))"
    case .launch(let devices): "launch the app on \(list(devices))"
    case .hold(let gate, let held, let devices):
      "\(held ? "hold back" : "let go of") \(gate.rawValue) on \(list(devices))"
    case .skew(let duration, let devices):
      "the clock of \(list(devices)) is off by \(DurationText.formatSigned(duration))"
    case .signIn(let user, let devices):
      user.map { "\($0) signs in on \(list(devices))" } ?? "sign out on \(list(devices))"
    case .restore(let devices): "restore purchases on \(list(devices))"
    case .tamper(let fault, let count, let devices):
      "the next \(count == 1 ? "copy" : "\(count) copies") for \(list(devices)): \(fault.rawValue)"
    case .breakSync(let dropped, let catchUp, let devices):
      "\(list(devices)): lose \(dropped) update\(dropped == 1 ? "" : "s"), \(catchUp ? "catch up" : "never catch up")"
    case .advance(.by(let duration)): "advance the clock by \(DurationText.format(duration))"
    case .advance(.to(let time)): "advance the clock to \(time)"
    case .advance(.nextEvent): "advance the clock to the next event"
    case .timeRate(let rate): "periods last as \(rate.rawValue) says"
    case .server(let verb): "\(verb.rawValue) the server"
    case .client(let number, let verb): "\(verb.rawValue) client \(number)"
    case .settle: "wait until all is quiet"
    case .note(let note): note
    case .expect(let expectation, _): "expect " + text(expectation)
    }
  }

  private func text(_ action: SubscriptionAction, _ account: String) -> String {
    switch action {
    case .bill(let fails, let product):
      "\(account) \(fails ? "cannot" : "can") be charged" + (product.map { " for \(name($0))" } ?? "")
    case .raisePrice(let product, let milliunits, let needsConsent):
      "\(name(product)) will cost \(account) \(Milliunits.text(milliunits))"
        + (needsConsent ? ", if \(account) agrees" : "")
    case .answerPrice(let agree, _): "\(account) \(agree ? "agrees" : "does not agree") to the new price"
    case .extend(let product, let days, _): "\(name(product)) of \(account) is extended by \(days) days"
    case .requestRefund(let product): "\(account) asks for money back for \(name(product))"
    case .declineRefund(let product): "\(account) gets no money back for \(name(product))"
    case .reverseRefund(let product): "\(account)'s refund for \(name(product)) is taken back"
    }
  }

  private func text(_ buy: ScenarioAction.Buy) -> String {
    let what = name(buy.productId) + (buy.quantity > 1 ? " × \(buy.quantity)" : "")
    return switch buy.by {
    case .device(let device): "buy \(what) on \(device)"
    case .account(let account): "\(account) buys \(what) in the App Store"
    }
  }

  private func text(_ expectation: ScenarioExpectation) -> String {
    switch expectation {
    case .devices(let devices, let expected):
      list(devices) + ": " + parts(expected).joined(separator: "; ")
    case .user(let user, let products): "user \(user) entitled to \(names(products))"
    case .family(let family, let members): "family \(family): \(members.sorted().joined(separator: ", "))"
    case .disagree(let devices):
      devices.isEmpty ? "every device agrees with the ledger" : "\(list(devices)) disagree with the ledger"
    }
  }

  private func parts(_ expected: DeviceExpectation) -> [String] {
    var parts: [String] = []
    if let products = expected.entitlements { parts.append("may use \(names(products))") }
    if let access = expected.access { parts.append("\(access.rawValue)") }
    if !expected.updates.isEmpty {
      let updates = expected.updates.map { name($0.productId) + ($0.revoked ? " revoked" : "") }
      parts.append("saw \(updates.joined(separator: ", "))")
    }
    if expected.noUpdates { parts.append("saw no update") }
    switch expected.unfinished {
    case .count(let count): parts.append("\(count) unfinished")
    case .products(let products): parts.append("unfinished: \(names(products))")
    case nil: break
    }
    if let phase = expected.phase { parts.append("shows \(phase)") }
    if let restore = expected.restore { parts.append("shows the restore as \(restore)") }
    return parts
  }

  private func name(_ product: String) -> String { scenario.shortName(product) }

  private func names(_ products: [String]) -> String {
    products.isEmpty ? "nothing" : products.map(name).sorted().joined(separator: ", ")
  }

  private func list(_ devices: [String]) -> String {
    devices.count > 4 ? "\(devices.count) devices" : devices.joined(separator: ", ")
  }
}
