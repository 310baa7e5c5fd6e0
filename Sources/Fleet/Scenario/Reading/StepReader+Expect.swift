import Shared
import Wire

/// The step `expect`.
extension StepReader {
  private static let subjects: [String: [String]] = [
    "device": ["entitlements", "access", "updates", "noUpdates", "unfinished", "phase", "restore", "waitsAt"],
    "account": ["entitlements", "access", "updates", "noUpdates", "unfinished", "phase", "restore", "waitsAt"],
    "user": ["entitledTo"],
    "family": ["members"],
    "notification": ["subtype", "of", "state", "count"],
    "disagree": [],
  ]

  func expect() -> ScenarioAction? {
    let deadline =
      section.has("within") ? duration("within", in: section) : ScenarioExpectation.defaultDeadline
    guard let node = section.members["expect"],
      let wanted = ScenarioSection(
        node, place: section.place, findings: section.findings, expected: "what to expect in { }")
    else { return nil }
    let subjects = StepReader.subjects.keys.sorted().filter(wanted.has)
    guard let subject = subjects.first, subjects.count == 1 else {
      wanted.note("an expectation is about one of device, account, user, family, notification or disagree")
      return nil
    }
    wanted.allow([subject] + (StepReader.subjects[subject] ?? []))
    guard let expectation = expectation(of: subject, wanted), let deadline else { return nil }
    return .expect(expectation, within: deadline)
  }

  private func expectation(of subject: String, _ wanted: ScenarioSection) -> ScenarioExpectation? {
    switch subject {
    case "user":
      let products = wanted.required("entitledTo") { knownList($0, .product, in: wanted) }
      guard let user = known("user", .user, in: wanted), let products else { return nil }
      return .user(user, entitledTo: products)
    case "family":
      let members = wanted.required("members") { knownList($0, .account, in: wanted) }
      guard let family = known("family", .family, in: wanted), let members else { return nil }
      return .family(family, members: members)
    case "notification": return notificationExpectation(wanted)
    case "disagree":
      return knownList("disagree", .device, in: wanted).map { .disagree($0) }
    default:
      let expected = deviceExpectation(wanted)
      guard let devices = devicesMeant(wanted), let expected else { return nil }
      return .devices(devices, expected)
    }
  }

  /// The devices named, or all devices of an account.
  private func devicesMeant(_ wanted: ScenarioSection) -> [String]? {
    guard wanted.has("account") else { return knownList("device", .device, in: wanted) }
    guard let account = known("account", .account, in: wanted) else { return nil }
    guard let devices = stage.accountDevices[account] else {
      wanted.note("the account '\(account)' has no device", at: "account")
      return nil
    }
    return devices
  }

  private func deviceExpectation(_ wanted: ScenarioSection) -> DeviceExpectation? {
    let mistakes = wanted.findings.mistakes.count
    var expected = DeviceExpectation()
    expected.entitlements = knownList("entitlements", .product, in: wanted)
    expected.access = wanted.word("access", among: ["locked", "unlocked", "unknown"])
      .flatMap(AppScreen.Access.init(rawValue:))
    expected.updates = updates(wanted)
    expected.noUpdates = wanted.bool("noUpdates") ?? false
    expected.phase = wanted.word("phase", among: DeviceExpectation.phases)
    expected.waitsAt = wanted.choice("waitsAt", HoldGate.Gate.self)
    expected.restore = wanted.word("restore", among: DeviceExpectation.restoreOutcomes)
    expected.unfinished = unfinished(wanted)
    if expected.noUpdates, !expected.updates.isEmpty {
      wanted.note("'updates' and 'noUpdates' exclude each other", at: "noUpdates")
    }
    if expected == DeviceExpectation(), wanted.findings.mistakes.count == mistakes {
      wanted.note(
        "nothing is expected: add entitlements, access, updates, noUpdates, unfinished, phase, restore or waitsAt")
    }
    return wanted.findings.mistakes.count == mistakes ? expected : nil
  }

  private func unfinished(_ wanted: ScenarioSection) -> DeviceExpectation.Unfinished? {
    guard case .number = wanted.members["unfinished"]?.value else {
      return knownList("unfinished", .product, in: wanted).map { .products($0) }
    }
    return wanted.integer("unfinished", in: 0...Int.max).map { .count($0) }
  }

  /// Products, or `{product, revoked}` where it matters whether access was taken away.
  private func updates(_ wanted: ScenarioSection) -> [DeviceExpectation.Update] {
    (wanted.list("updates") ?? []).compactMap { node in
      if case .string(let product) = node.value {
        guard stage.names.check(product, .product, at: node.position, in: wanted.place) else { return nil }
        return DeviceExpectation.Update(productId: product, revoked: false)
      }
      guard
        let update = ScenarioSection(
          node, place: wanted.place, findings: wanted.findings, expected: "{product: …, revoked: true}")
      else { return nil }
      update.allow(["product", "revoked"])
      guard let product = known("product", .product, in: update) else { return nil }
      return DeviceExpectation.Update(productId: product, revoked: update.bool("revoked") ?? false)
    }
  }
}
