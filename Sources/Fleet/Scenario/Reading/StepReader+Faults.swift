import Shared
import Wire

/// Steps that hold up, refuse or break what devices ask for. Without `on` all devices are meant.
extension StepReader {
  mutating func hold() -> ScenarioAction? {
    let gate = section.choice("hold", HoldGate.Gate.self)
    guard let target = devicesOrAll(), let gate else { return nil }
    stage.hold(gate, true, target)
    return .fault(.gate(HoldGate(gate: gate, held: true)), target)
  }

  mutating func release() -> ScenarioAction? {
    let gate = section.choice("release", HoldGate.Gate.self)
    let count = section.integer("count", in: 1...1_000)
    let cancel = section.bool("cancel") ?? false
    guard let target = devicesOrAll(), let gate else { return nil }
    if cancel, !gate.canBeCancelled {
      section.note("nobody can cancel what waits at '\(gate.rawValue)'", at: "cancel")
      return nil
    }
    // With a count it stays held for those that come later.
    if count == nil { stage.hold(gate, false, target) }
    return .fault(.gate(HoldGate(gate: gate, held: false, count: count, cancel: cancel ? true : nil)), target)
  }

  func fail() -> ScenarioAction? {
    let api = section.choice("fail", FailableAPI.self)
    let times = section.integer("times", in: 1...Int.max)
    let target = devicesOrAll()
    guard let api else { return nil }
    let failures = SimulatedFailure.all(of: api)
    let names = failures.map(\.name) + ["nothing"]
    guard let name = section.required("with", { section.word($0, among: names) }), let target else { return nil }
    return .fault(
      .fail(SetSimulatedError(api: api, failure: failures.first { $0.name == name }, times: times)), target)
  }

  func allowPurchases() -> ScenarioAction? {
    let allowed = section.bool("allowPurchases")
    guard let target = devicesOrAll(), let allowed else { return nil }
    return .fault(.allowPurchases(allowed), target)
  }

  func interrupt() -> ScenarioAction? {
    guard let on = section.bool("interrupt") else { return nil }
    guard section.has("account") else {
      return devicesOrAll().map { .fault(.interrupt(on), $0) }
    }
    if section.has("on") {
      section.note("purchases are interrupted either of an 'account' or 'on' a device", at: "on")
      return nil
    }
    return known("account", .account).map { .fault(.interrupt(on), .account($0)) }
  }

  func resolve() -> ScenarioAction? {
    let account = known("account", .account)
    if case .bool(true)? = section.members["resolve"]?.value {
      return account.map { .resolve(productId: nil, account: $0) }
    }
    guard let product = known("resolve", .product), let account else { return nil }
    return .resolve(productId: product, account: account)
  }

  // MARK: The network

  func network() -> ScenarioAction? {
    guard let target = networkTarget() else { return nil }
    if case .string("good")? = section.members["network"]?.value { return .fault(.network(nil), target) }
    guard let node = section.members["network"],
      let part = ScenarioSection(
        node, place: section.place, findings: section.findings, expected: #""good", or {latency: …, events: …}"#)
    else { return nil }
    part.allow(["latency", "events", "requests", "blocked", "seed"])
    var faults = NetworkFaults(
      latency: latency(in: part), blocked: part.choice("blocked", NetworkFaults.Way.self),
      seed: part.integer("seed", in: 0...Int.max).map { UInt64($0) })
    if let events = inner("events", of: part, ["drop", "duplicate", "delay", "reorder", "next"]) {
      faults.events = .init(
        drop: share("drop", events), duplicate: share("duplicate", events), delay: share("delay", events),
        reorder: share("reorder", events), next: events.integer("next", in: 1...Int.max))
    }
    if let requests = inner("requests", of: part, ["drop", "dropReplies", "next"]) {
      faults.requests = .init(
        drop: share("drop", requests), dropReplies: share("dropReplies", requests),
        next: requests.integer("next", in: 1...Int.max))
    }
    return .fault(.network(faults), target)
  }

  private func networkTarget() -> FaultTarget? {
    guard section.has("onClient") else { return devicesOrAll() }
    if section.has("on") {
      section.note("a network is that of a client ('onClient') or of devices ('on')", at: "on")
      return nil
    }
    return section.integer("onClient", in: 1...stage.clients).map { .client($0) }
  }

  private func inner(_ key: String, of part: ScenarioSection, _ keys: [String]) -> ScenarioSection? {
    guard let node = part.members[key],
      let inner = ScenarioSection(node, place: part.place, findings: part.findings, expected: "{\(keys[0]): 20}")
    else { return nil }
    inner.allow(keys)
    return inner
  }

  private func share(_ key: String, _ part: ScenarioSection) -> Int { part.integer(key, in: 0...100) ?? 0 }

  /// One duration, or two between which it varies: `"200ms-800ms"`.
  private func latency(in part: ScenarioSection) -> NetworkFaults.Latency? {
    guard let text = part.string("latency") else { return nil }
    do {
      return try LatencyText.parse(text)
    } catch {
      part.note("\(error)", at: "latency")
      return nil
    }
  }

  private func devicesOrAll() -> FaultTarget? { section.has("on") ? devices("on").map { .devices($0) } : .world }
}
