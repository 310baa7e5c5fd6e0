import Shared
import Wire

/// Steps that act on devices.
extension StepReader {
  func setOnline(_ online: Bool, key: String) -> ScenarioAction? {
    devices(key).map { .setOnline(online, devices: $0) }
  }

  func kill() -> ScenarioAction? { devices("kill").map { .kill(devices: $0) } }

  func launch() -> ScenarioAction? { devices("launch").map { .launch(devices: $0) } }

  /// A duration, with a minus in front for a clock that is behind.
  func skew() -> ScenarioAction? {
    let devices = devices("on")
    guard let text = section.string("skew") else { return nil }
    do {
      let duration = try DurationText.parseSigned(text)
      return devices.map { .skew(duration, devices: $0) }
    } catch {
      section.note("\(error)", at: "skew")
      return nil
    }
  }

  func signIn() -> ScenarioAction? {
    let user = known("signIn", .user)
    guard let devices = devices("on"), let user else { return nil }
    return .signIn(user: user, devices: devices)
  }

  func signOut() -> ScenarioAction? { devices("signOut").map { .signIn(user: nil, devices: $0) } }

  /// Not waited for where its gate is held.
  func restore() -> ScenarioAction? {
    let waits = section.bool("wait") ?? true
    return devices("restore").map { devices in
      .restore(devices: devices, waits: waits && !devices.contains { stage.isHeld(.restore, on: $0) })
    }
  }

  func tamper() -> ScenarioAction? {
    let fault = section.choice("tamper", TamperCopies.Fault.self)
    let count = section.integer("count", in: 1...Int.max) ?? 1
    guard let devices = devices("on"), let fault else { return nil }
    return .tamper(fault, count: count, devices: devices)
  }

  func breakSync() -> ScenarioAction? {
    let devices = devices("on")
    guard let node = section.members["breakSync"],
      let fault = ScenarioSection(
        node, place: section.place, findings: section.findings, expected: "{dropUpdates: 1, catchUp: false}")
    else { return nil }
    fault.allow(["dropUpdates", "catchUp"])
    let dropUpdates = fault.integer("dropUpdates", in: 0...Int.max) ?? 0
    let catchUp = fault.bool("catchUp") ?? true
    return devices.map { .breakSync(dropUpdates: dropUpdates, catchUp: catchUp, devices: $0) }
  }
}
