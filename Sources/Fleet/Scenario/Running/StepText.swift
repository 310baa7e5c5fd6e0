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
    case .account(let action, let account): text(action, account)
    case .answerAskToBuy(let approve, let product, let account):
      "\(approve ? "approve" : "decline") \(account)'s request" + (product.map { " for \(name($0))" } ?? "")
    case .autoRenew(let product, let on, let account):
      "\(account) turns auto-renew of \(name(product)) \(on ? "on" : "off")"
    case .join(let account, let family): "\(account) joins the family \(family)"
    case .leave(let account, let family): "\(account) leaves the family \(family)"
    case .share(let product, let on, let account, let family):
      "\(account) \(on ? "shares" : "stops sharing") \(name(product)) with the family \(family)"
    case .hideApp(let account, _, let hidden):
      "\(account) \(hidden ? "hides the app among its purchases" : "shows the app among its purchases again")"
    case .purchaseSharing(let family, let on):
      "the family \(family) \(on ? "shares purchases again" : "shares purchases no longer")"
    case .makeShareable(let product): "\(name(product)) can be shared with families from now on"
    case .notifications(let action): text(action)
    case .resetWorld: "the world forgets everything that was bought"
    case .setOnline(let online, let devices): "\(list(devices)) \(online ? "online" : "offline")"
    case .kill(let devices): "kill the app on \(list(devices))"
    case .launch(let devices): "launch the app on \(list(devices))"
    case .fault(let action, let target): "\(text(action)) \(text(target))"
    case .resolve(let product, let account):
      "\(account) does what \(product.map(name) ?? "the interrupted purchase") waits for"
    case .skew(let duration, let devices):
      "the clock of \(list(devices)) is off by \(DurationText.formatSigned(duration))"
    case .signIn(let user, let devices):
      user.map { "\($0) signs in on \(list(devices))" } ?? "sign out on \(list(devices))"
    case .restore(let devices, _): "restore purchases on \(list(devices))"
    case .tamper(let fault, let count, let devices):
      "the next \(count == 1 ? "copy" : "\(count) copies") for \(list(devices)): \(fault.rawValue)"
    case .breakSync(let dropped, let catchUp, let devices):
      "\(list(devices)): lose \(dropped) update\(dropped == 1 ? "" : "s"), \(catchUp ? "catch up" : "never catch up")"
    case .advance(.by(let duration)): "advance the clock by \(DurationText.format(duration))"
    case .advance(.to(let time)): "advance the clock to \(time)"
    case .advance(.nextEvent): "advance the clock to the next event"
    case .timeRate(let rate): "periods last as \(rate.rawValue) says"
    case .habits(let change): "habits: \(change)"
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
    case .requestRefund(let product, _): "\(account) asks for money back for \(name(product))"
    case .declineRefund(let product): "\(account) gets no money back for \(name(product))"
    case .reverseRefund(let product): "\(account)'s refund for \(name(product)) is taken back"
    }
  }

  private func text(_ action: NotificationAction) -> String {
    switch action {
    case .sendTo(let url): "notifications go \(url.map { "to \($0)" } ?? "nowhere")"
    case .test: "a test notification is sent"
    case .fault(let fault?):
      "notifications: \(fault.kind.rawValue), "
        + (fault.count.map { "the next \($0)" } ?? "\(fault.percent ?? 0) % of them")
    case .fault(nil): "notifications are sent as they are"
    }
  }

  private func text(_ action: FaultAction) -> String {
    switch action {
    case .gate(let gate):
      gate.held
        ? "hold back \(gate.gate.rawValue)"
        : "\(gate.cancel == true ? "cancel" : "let go of") \(gate.gate.rawValue)"
          + (gate.count.map { " (\($0))" } ?? "")
    case .fail(let error):
      "\(error.api.rawValue) " + (error.failure.map { "fails with \($0.name)" } ?? "works again")
        + (error.times.map { ", \($0) times" } ?? "")
    case .allowPurchases(let allowed): "purchases are \(allowed ? "" : "not ")allowed"
    case .network(let faults): faults == nil ? "a good network" : "a bad network"
    case .interrupt(let on): "purchases are \(on ? "" : "not ")interrupted"
    }
  }

  private func text(_ target: FaultTarget) -> String {
    switch target {
    case .devices(let devices): "on \(list(devices))"
    case .account(let account): "for \(account)"
    case .client(let number): "for client \(number)"
    case .world: "for all"
    }
  }

  private func text(_ action: AccountAction, _ account: String) -> String {
    switch action {
    case .redeem(let product, let code, let offer):
      "\(account) redeems \([code, offer].compactMap(\.self).joined()) for \(name(product))"
    case .setToken(let user, let product): "\(name(product)) of \(account) belongs to user \(user)"
    case .tellConsumption(let product, let information):
      "the backend tells what \(account) has used of \(name(product))"
        + (information.refundPreference.map { ", and prefers \($0)" } ?? "")
    case .moveTo(let storefront): "\(account) moves to the storefront \(storefront)"
    case .reset: "\(account) forgets everything that it bought"
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
    case .notification(let expected): "notification \(expected.text)"
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
    if let gate = expected.waitsAt { parts.append("waits at \(gate.rawValue)") }
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
