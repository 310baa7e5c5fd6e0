import Shared
import Wire

extension ScenarioReport {
  package init(_ scenario: Scenario, _ outcome: ScenarioOutcome) {
    let families = FinalFamilies.of(scenario, playedSteps: outcome.steps)
    self.init(
      scenario: scenario.file, world: scenario.world.name, passed: outcome.passed,
      summary: AgreementText(scenario: scenario).summary(outcome.agreement),
      steps: outcome.steps.map(Step.init),
      devices: zip(scenario.devices, outcome.agreement.verdicts).map { device, verdict in
        Device(
          device, verdict, family: families[device.account], report: outcome.reports[device.name],
          truth: outcome.truths[device.account])
      },
      ledgerProblems: outcome.ledgerProblems, checkFailure: outcome.checkFailure)
  }
}

extension ScenarioReport.Step {
  fileprivate init(_ outcome: StepOutcome) {
    let components = outcome.duration.components
    let microseconds = components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    self.init(
      number: outcome.number, line: outcome.line, text: outcome.text, milliseconds: Double(microseconds) / 1_000,
      failure: outcome.failure.map { failure in
        Failure(message: failure.message, seen: failure.seen, timeline: failure.timeline.map(Event.init))
      })
  }
}

extension ScenarioReport.Step.Event {
  fileprivate init(_ line: TimelineLine) {
    self.init(
      account: line.account, sequence: line.sequence, name: line.name, at: line.at.description,
      subjects: line.subjects)
  }
}

extension ScenarioReport.Device {
  fileprivate init(
    _ device: ScenarioDevice, _ verdict: DeviceVerdict, family: String?, report: DeviceReport?, truth: JournalTruth?
  ) {
    var reason: String?
    if case .notChecked(let because) = verdict.finding { reason = because }
    self.init(
      device: device.name, account: device.account, family: family, client: device.client, state: State(report),
      believes: (report?.screen?.entitled ?? []).sorted(), entitled: truth?.entitled ?? [],
      reasons: (truth?.products ?? []).map { .init(product: $0.productId, entitled: $0.isEntitled, why: $0.why) },
      updates: (report?.updates ?? []).map {
        .init(
          product: $0.productId, transactionId: $0.transactionId.description, revoked: $0.revoked,
          unverified: $0.unverified)
      },
      unfinished: (report?.unfinished ?? []).map(\.description),
      verdict: reason != nil ? .notChecked : verdict.disagreement == nil ? .agrees : .disagrees,
      missing: verdict.disagreement?.missing ?? [], extra: verdict.disagreement?.extra ?? [],
      missingUnfinished: (verdict.disagreement?.missingUnfinished ?? []).map(\.description),
      extraUnfinished: (verdict.disagreement?.extraUnfinished ?? []).map(\.description),
      notCheckedBecause: reason)
  }
}

extension ScenarioReport.Device.State {
  fileprivate init(_ report: DeviceReport?) {
    guard let report else {
      self = .unreachable
      return
    }
    self = report.incarnation == nil ? .off : report.online ? .running : .offline
  }
}
