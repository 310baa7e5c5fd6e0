import Shared
import Wire

/// Waits for an expectation to come true.
struct ExpectationWatch: Sendable {
  let view: FleetView
  let expectation: ScenarioExpectation

  /// What still does not hold when it is over; empty as soon as everything does.
  func wait(within deadline: Duration, clock: any Clock<Duration>) async -> [String] {
    if deadline <= .zero { return await look().mismatches }
    let watch = Watch(view: view, look: { await look() }, isGood: \.isOver)
    return await watch.wait(within: deadline, clock: clock)?.mismatches ?? ["nothing could be looked at in time"]
  }

  private struct Look: Sendable {
    var mismatches: [String]
    /// Whether waiting longer would change nothing: all holds, or there is no fleet any more that could change.
    var isOver: Bool
  }

  private func look() async -> Look {
    do {
      let found = try await mismatches()
      return Look(mismatches: found, isOver: found.isEmpty)
    } catch {
      return Look(mismatches: ["\(error)"], isOver: error is FleetError)
    }
  }

  private func mismatches() async throws -> [String] {
    switch expectation {
    case .devices(let devices, let expected): return try await mismatches(devices, expected)
    case .user(let user, let products): return try await mismatches(user: user, products)
    case .family(let family, let members):
      let found = try await membersNow(of: family)
      if Set(found) == Set(members) { return [] }
      return ["the family \(family) is \(DeviceExpectation.list(found)), not \(DeviceExpectation.list(members))"]
    case .notification(let expected): return try await mismatches(expected)
    case .disagree(let devices): return await mismatches(disagreeing: devices)
    }
  }

  /// Of a family that has ended, none.
  private func membersNow(of family: String) async throws -> [String] {
    do {
      return try await view.driver.ask(DescribeFamily(), of: view.address(.family, family)).members
    } catch let error as WireError where error.code == .unknownAddress {
      return []
    }
  }

  private func mismatches(_ devices: [String], _ expected: DeviceExpectation) async throws -> [String] {
    var truths: [String: JournalTruth] = [:]
    if case .products = expected.unfinished {
      // Devices name what they hold by transaction; the journal knows the products.
      truths = await view.truths(Array(Set(devices.compactMap { view.scenario.device($0)?.account })))
    }
    let known = truths
    return try await Concurrently.map(devices) { device in
      let report = try await view.report(device)
      return expected.mismatches(report) { known[report.account]?.productId(of: $0) }
    }.flatMap(\.self)
  }

  private func mismatches(user: String, _ products: [String]) async throws -> [String] {
    let entitlements = try await view.driver.ask(GetEntitlements(), of: view.user(user)).entitlements
    let entitled = Set(entitlements.filter(\.isEntitled).map(\.productId))
    if entitled == Set(products) { return [] }
    return ["user \(user) is entitled to \(DeviceExpectation.list(entitled)), not \(DeviceExpectation.list(products))"]
  }

  /// How many of the others are shown.
  private static let shownNotifications = 5

  private func mismatches(_ expected: NotificationExpectation) async throws -> [String] {
    let all = try await view.notifications()
    let found = all.count(where: expected.matches)
    if expected.count.map({ $0 == found }) ?? (found > 0) { return [] }
    let last = all.suffix(ExpectationWatch.shownNotifications).map { entry in
      entry.notificationType + (entry.subtype.map { " \($0)" } ?? "") + " (\(entry.state.rawValue))"
    }
    return [
      "\(found) notifications are \(expected.text); the last ones are \(last.isEmpty ? "none" : last.joined(separator: ", "))"
    ]
  }

  private func mismatches(disagreeing devices: [String]) async -> [String] {
    let reports = await view.reports(view.scenario.devices.map(\.name))
    let truths = await view.truths(view.scenario.accounts.map(\.name))
    let agreement = view.agreement(reports: reports, truths: truths)
    let found = Set(agreement.disagreeing.map(\.device))
    if found == Set(devices) { return [] }
    return agreement.disagreeing.filter { !devices.contains($0.device) }.map {
      AgreementText(scenario: view.scenario).line($0)
    } + devices.filter { !found.contains($0) }.map { "\($0) agrees with the ledger, or could not be checked" }
  }
}
