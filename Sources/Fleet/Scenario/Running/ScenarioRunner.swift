import Shared
import Wire

/// Plays a scenario on a fleet.
package struct ScenarioRunner: Sendable {
  let scenario: Scenario
  let driver: any FleetDriver
  let keepsGoing: Bool
  let clock: any Clock<Duration>
  let progress: @Sendable (ScenarioProgress) -> Void
  let view: FleetView
  private let words: StepText

  /// - Parameters:
  ///   - keepsGoing: whether the steps after a failed one are played.
  ///   - clock: what deadlines are measured with.
  ///   - progress: called as each step begins and ends, in order.
  package init(
    scenario: Scenario, driver: any FleetDriver, keepsGoing: Bool = false,
    clock: any Clock<Duration> = ContinuousClock(), progress: @escaping @Sendable (ScenarioProgress) -> Void = { _ in }
  ) {
    self.scenario = scenario
    self.driver = driver
    self.keepsGoing = keepsGoing
    self.clock = clock
    self.progress = progress
    view = FleetView(scenario: scenario, driver: driver)
    words = StepText(scenario: scenario)
  }

  /// Sets the world up, plays every step, and compares each device with its account's ledger.
  package func run() async -> ScenarioOutcome {
    var players = Players(scenario)
    var steps = [
      await outcome(number: 0, line: nil, text: setupText) { try await setUp(players) }
    ]
    for step in scenario.steps where !Task.isCancelled {
      if steps.last?.failure != nil, !keepsGoing || steps.count == 1 { break }
      let text = words.text(step)
      let line = step.position.line
      steps.append(
        await outcome(number: step.number, line: line, text: text) { try await play(step.action, &players) })
    }
    return await look(steps)
  }

  private var setupText: String {
    func count(_ number: Int, _ one: String, _ many: String) -> String { "\(number) \(number == 1 ? one : many)" }
    return "set up \(count(scenario.accounts.count, "account", "accounts")), "
      + "\(count(scenario.families.count, "family", "families")), "
      + "\(count(scenario.devices.count, "device", "devices")) in \(count(scenario.clients, "client", "clients"))"
  }

  private func outcome(
    number: Int, line: Int?, text: String, _ body: () async throws -> Void
  ) async -> StepOutcome {
    progress(.began(number: number, text: text))
    var failure: StepFailure?
    let duration = await ContinuousClock().measure {
      do { try await body() } catch {
        failure = await withTimeline(error as? StepFailure ?? StepFailure(message: "\(error)"))
      }
    }
    let outcome = StepOutcome(number: number, line: line, text: text, duration: duration, failure: failure)
    progress(.ended(outcome))
    return outcome
  }

  /// How many events of an account are shown with a failure.
  private static let timelineLength = 8

  private func withTimeline(_ failure: StepFailure) async -> StepFailure {
    var failure = failure
    for account in failure.accounts.prefix(4) {
      guard let entries = try? await view.journal(account) else { continue }
      let last = entries.suffix(ScenarioRunner.timelineLength)
      failure.timeline += last.map { TimelineLine(account: account, entry: $0) }
    }
    return failure
  }

  /// How long the fleet may take to come to rest in the end. One with a broken device never does.
  private static let restPatience = Duration.seconds(10)

  private func rest() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { _ = try await driver.ask(Settle(), of: view.world) }
      group.addTask {
        try await Task.sleep(for: ScenarioRunner.restPatience)
        throw FleetError(
          "after \(DurationText.format(ScenarioRunner.restPatience)) not every device is where its account is")
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  /// How long apps may take after the last step until they believe what is true: more than the two seconds after which
  /// an app without a listener shows its views.
  private static let lastPatience = Duration.seconds(5)

  /// The last look at everything.
  ///
  /// That all is settled says where the devices are, not that their apps are done: one may just be working through what
  /// its launch brought, and finish a transaction between the look at it and the look at its account. So a look that
  /// finds a disagreement is taken again, until there is none or the patience ends.
  private func look(_ steps: [StepOutcome]) async -> ScenarioOutcome {
    var checkFailure: String?
    do { try await rest() } catch {
      checkFailure = "the fleet did not come to rest: \(error)"
    }
    var outcome = await takeLook(steps)
    if checkFailure == nil, !outcome.agreement.disagreeing.isEmpty, !Task.isCancelled {
      let watch = Watch(view: view, look: { await takeLook(steps) }, isGood: \.agreement.disagreeing.isEmpty)
      outcome = await watch.wait(within: ScenarioRunner.lastPatience, clock: clock) ?? outcome
    }
    if checkFailure == nil, outcome.agreement.isBlind {
      checkFailure = "no device could be asked in the end: whether they agree with the ledger is not known"
    }
    outcome.checkFailure = checkFailure
    return outcome
  }

  private func takeLook(_ steps: [StepOutcome]) async -> ScenarioOutcome {
    let reports = await view.reports(scenario.devices.map(\.name))
    let truths = await view.truths(scenario.accounts.map(\.name))
    return ScenarioOutcome(
      steps: steps, reports: reports, truths: truths, agreement: view.agreement(reports: reports, truths: truths))
  }
}
