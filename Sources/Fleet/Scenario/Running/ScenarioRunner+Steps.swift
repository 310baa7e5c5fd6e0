import Foundation
import Shared
import Wire

extension ScenarioRunner {
  func play(_ action: ScenarioAction, _ players: inout Players) async throws {
    switch action {
    case .buy(let buy): try await play(buy)
    case .refund(let product, let account, let reason, let percent):
      let share = percent.map { Int64($0) * 1_000 }
      try await tell(Refund(productId: product, reason: reason, percentage: share), account)
    case .subscription(let action, let account): try await play(action, account)
    case .account(let action, let account): try await play(action, account)
    case .answerAskToBuy(let approve, let product, let account):
      try await tell(AnswerAskToBuy(approve: approve, productId: product), account)
    case .autoRenew(let product, let on, let account):
      try await tell(SetAutoRenew(productId: product, on: on), account)
    case .join(let account, let family): try await tell(JoinFamily(account: account), account, family: family)
    case .leave(let account, let family): try await tell(LeaveFamily(account: account), account, family: family)
    case .share(let product, let on, let account, let family):
      try await tell(SetSharing(account: account, productId: product, on: on), account, family: family)
    case .hideApp(let account, let family, let hidden):
      try await tell(SetAppHidden(account: account, hidden: hidden), account, family: family)
    case .purchaseSharing(let family, let on):
      _ = try await driver.ask(SetPurchaseSharing(on: on), of: view.address(.family, family))
    case .makeShareable(let product): _ = try await driver.ask(SetFamilyShareable(productId: product), of: view.world)
    case .notifications(let action): try await play(action)
    case .resetWorld: _ = try await driver.ask(ResetWorld(), of: view.world)
    case .launch(let devices): try await launch(devices, players)
    case .signIn(let user, let devices):
      let token = user.flatMap { scenario.user($0)?.token }
      for device in devices { players.signedIn[device] = token }
      try await tellDevices(devices, SignInUser(appAccountToken: token))
    case .skew(let duration, let devices):
      try await tellDevices(devices, SetSkew(milliseconds: duration.wholeMilliseconds))
    case .setOnline(let online, let devices): try await tellDevices(devices, SetOnline(online: online))
    case .kill(let devices): try await tellDevices(devices, KillDevice())
    case .fault(let action, let target): try await play(action, target)
    case .resolve(let product, let account): try await tell(ResolveIssue(productId: product), account)
    case .tamper(let fault, let count, let devices):
      try await tellDevices(devices, TamperCopies(fault: fault, count: count))
    case .breakSync(let dropUpdates, let catchUp, let devices):
      try await tellDevices(devices, BreakSync(dropUpdates: dropUpdates, catchUp: catchUp))
    case .restore(let devices, let waits): try await restore(devices, waits: waits)
    case .advance(let target): _ = try await driver.ask(AdvanceClock(target.wire), of: view.world)
    case .timeRate(let rate): _ = try await driver.ask(SetTimeRate(rate), of: view.world)
    case .habits(let change): _ = try await driver.ask(SetHabits(change), of: view.world)
    case .server(let verb): try await driver.server(verb)
    case .client(let number, let verb): try await driver.client(number, verb)
    case .settle: _ = try await driver.ask(Settle(), of: view.world)
    case .note: break
    case .expect(let expectation, let deadline): try await play(expectation, within: deadline)
    }
  }

  // MARK: Telling

  func tell(_ request: some Request, _ account: String, family: String? = nil) async throws {
    let address = family.map { view.address(.family, $0) } ?? view.address(.account, account)
    do { _ = try await driver.ask(request, of: address) } catch {
      throw StepFailure(message: "\(error)", accounts: [account])
    }
  }

  private func play(_ action: SubscriptionAction, _ account: String) async throws {
    switch action {
    case .bill(let fails, let product): try await tell(SetBilling(productId: product, fails: fails), account)
    case .raisePrice(let product, let milliunits, let needsConsent):
      let request = RequestPriceIncrease(
        productId: product, priceMilliunits: milliunits, needsConsent: needsConsent)
      try await tell(request, account)
    case .answerPrice(let agree, let product):
      try await tell(AnswerPriceIncrease(productId: product, agree: agree), account)
    case .extend(let product, let days, let reason):
      try await tell(ExtendSubscription(productId: product, days: days, reason: reason), account)
    case .requestRefund(let product, let reason):
      try await tell(RequestRefund(productId: product, reason: reason), account)
    case .declineRefund(let product): try await tell(DeclineRefund(productId: product), account)
    case .reverseRefund(let product): try await tell(ReverseRefund(productId: product), account)
    }
  }

  func tellDevices(_ devices: [String], _ request: some Request) async throws {
    try await eachDevice(devices) { device in
      _ = try await driver.ask(request, of: view.address(.device, device))
    }
  }

  private func restore(_ devices: [String], waits: Bool) async throws {
    try await eachDevice(devices) { device in
      let reply = try await driver.ask(TapRestore(wait: waits ? nil : false), of: view.address(.device, device))
      guard reply.outcome == "failed" else { return }
      throw StepFailure(message: "the restore on \(device) failed: \(reply.message ?? "the app does not say why")")
    }
  }

  // MARK: Buying

  private func play(_ buy: ScenarioAction.Buy) async throws {
    switch buy.by {
    case .device(let device):
      let account = scenario.device(device)?.account
      let request = TapBuy(productId: buy.productId, quantity: buy.quantity, wait: buy.waits)
      do {
        let reply = try await driver.ask(request, of: view.address(.device, device))
        try judge(reply.phase, reply.message, of: buy, waited: buy.waits, accounts: account.map { [$0] } ?? [])
      } catch let failure as StepFailure {
        throw failure
      } catch {
        throw StepFailure(message: "\(device): \(error)", accounts: account.map { [$0] } ?? [])
      }
    case .account(let account):
      do {
        let request = Purchase(productId: buy.productId, quantity: buy.quantity)
        let reply = try await driver.ask(request, of: view.address(.account, account))
        try judge(phase(reply.outcome), nil, of: buy, waited: true, accounts: [account])
      } catch let error as WireError where error.code == .refused {
        try judge("failed", error.message, of: buy, waited: true, accounts: [account])
      }
    }
  }

  private func phase(_ outcome: Purchase.Reply.Outcome) -> String {
    switch outcome {
    case .purchased, .existing: "completed"
    case .pending: "awaitingApproval"
    }
  }

  private func judge(
    _ phase: String, _ message: String?, of buy: ScenarioAction.Buy, waited: Bool, accounts: [String]
  ) throws {
    let isRight = buy.expected.map { $0.rawValue == phase } ?? (phase != "failed" && phase != "cancelled")
    // A purchase that is not waited for has no outcome yet.
    if isRight || (!waited && phase == "started") { return }
    let expected = buy.expected.map { ", not \($0.rawValue)" } ?? ""
    throw StepFailure(
      message: "the purchase of \(scenario.shortName(buy.productId)) is \(phase)\(expected)",
      seen: message.map { [$0] } ?? [], accounts: accounts)
  }

  // MARK: Expecting

  private func play(_ expectation: ScenarioExpectation, within deadline: Duration) async throws {
    let found = await ExpectationWatch(view: view, expectation: expectation).wait(within: deadline, clock: clock)
    guard !found.isEmpty else { return }
    let time = deadline > .zero ? "did not come true within \(DurationText.format(deadline))" : "is not so"
    throw StepFailure(
      message: "what was expected \(time)", seen: found, accounts: accounts(concernedBy: expectation))
  }

  private func accounts(concernedBy expectation: ScenarioExpectation) -> [String] {
    var devices: [String] = []
    switch expectation {
    case .devices(let names, _), .disagree(let names): devices = names
    case .user(let user, _): devices = scenario.devices.filter { $0.user == user }.map(\.name)
    case .notification(let expected): return expected.account.map { [$0] } ?? []
    case .family: break
    }
    return Set(devices.compactMap { scenario.device($0)?.account }).sorted()
  }
}

extension ScenarioAction.ClockTarget {
  fileprivate var wire: AdvanceClock.Target {
    switch self {
    case .by(let duration):
      // A duration of the file is whole milliseconds and fits: `DurationText` reads no other.
      .by(milliseconds: duration.wholeMilliseconds)
    case .to(let time): .to(time)
    case .nextEvent: .nextEvent
    }
  }
}
