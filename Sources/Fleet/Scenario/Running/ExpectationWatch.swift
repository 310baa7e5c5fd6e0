import Shared
import Wire

/// Waits for an expectation to come true.
struct ExpectationWatch: Sendable {
  let view: FleetView
  let expectation: ScenarioExpectation

  /// What still does not hold when it is over; empty as soon as everything does.
  ///
  /// Looks again at each change that the fleet reports, and once it is quiet; sleeps only for the deadline.
  func wait(within deadline: Duration, clock: any Clock<Duration>) async -> [String] {
    if deadline <= .zero { return await mismatches() }
    let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let changes = view.driver.changes()
    // Only the watching child has a result; the first child that ends the waiting has the others cancelled.
    return await withTaskGroup(of: Ending.self) { group in
      group.addTask { .watched(await watch(wakes)) }
      group.addTask {
        for await _ in changes { waker.yield() }
        return .other(endsWaiting: false)
      }
      group.addTask {
        // That a fleet with a broken device is never quiet is no failure of the expectation.
        _ = try? await view.driver.ask(Settle(), of: view.world)
        waker.yield()
        return .other(endsWaiting: false)
      }
      group.addTask {
        try? await clock.sleep(for: deadline)
        return .other(endsWaiting: true)
      }
      waker.yield()
      var found: [String] = []
      for await ending in group {
        switch ending {
        case .watched(let mismatches):
          found = mismatches
          group.cancelAll()
        case .other(true): group.cancelAll()
        case .other(false): break
        }
      }
      return found
    }
  }

  private enum Ending: Sendable {
    case watched([String])
    case other(endsWaiting: Bool)
  }

  /// Looks at each wake until everything holds or the task is cancelled; what was missing at the last full look.
  private func watch(_ wakes: AsyncStream<Void>) async -> [String] {
    var last = ["nothing could be looked at in time"]
    for await _ in wakes {
      let found = await mismatches()
      if found.isEmpty { return [] }
      // A look that was cut short says nothing.
      if !Task.isCancelled { last = found }
    }
    return last
  }

  private func mismatches() async -> [String] {
    do {
      switch expectation {
      case .devices(let devices, let expected): return try await mismatches(devices, expected)
      case .user(let user, let products): return try await mismatches(user: user, products)
      case .family(let family, let members):
        let found = try await view.driver.ask(DescribeFamily(), of: view.address(.family, family)).members
        if Set(found) == Set(members) { return [] }
        return ["the family \(family) is \(DeviceExpectation.list(found)), not \(DeviceExpectation.list(members))"]
      case .disagree(let devices): return await mismatches(disagreeing: devices)
      }
    } catch {
      return ["\(error)"]
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
