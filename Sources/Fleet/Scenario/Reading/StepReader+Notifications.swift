import Shared
import Wire

/// Steps about what the developer's server is told, and what is expected of it.
extension StepReader {
  func notify() -> ScenarioAction? {
    guard let url = section.string("notify") else { return nil }
    return .notifications(.sendTo(url == "none" ? nil : url))
  }

  func testNotification() -> ScenarioAction? {
    guard let flag = section.bool("testNotification") else { return nil }
    guard flag else {
      section.note(
        "'testNotification' is false, which does nothing: write {testNotification: true}", at: "testNotification")
      return nil
    }
    return .notifications(.test)
  }

  func notificationFault() -> ScenarioAction? {
    let kinds = NotificationFault.Kind.allCases.map(\.rawValue)
    let count = section.integer("count", in: NotificationFault.countsAllowed)
    let percent = section.integer("percent", in: NotificationFault.percentsAllowed)
    let delay = section.has("by") ? duration("by", in: section) : nil
    guard let word = section.word("notificationFault", among: kinds + ["none"]) else { return nil }
    guard let kind = NotificationFault.Kind(rawValue: word) else { return .notifications(.fault(nil)) }
    guard (count == nil) != (percent == nil) else {
      section.note("a fault needs either 'count' (the next ones) or 'percent' (a share of them)")
      return nil
    }
    guard (kind == .delay) == (delay != nil) else {
      section.note("'by' says how much later a delayed one is sent: it belongs to \"delay\", which needs it")
      return nil
    }
    return .notifications(
      .fault(
        NotificationFault(
          kind, count: count, percent: percent, delayMilliseconds: delay.map { $0.wholeMilliseconds })))
  }

  func notificationExpectation(_ wanted: ScenarioSection) -> ScenarioExpectation? {
    let mistakes = wanted.findings.mistakes.count
    let subtype = wanted.word("subtype", among: NotificationSubtype.allCases.map(\.rawValue))
    let account = wanted.has("of") ? known("of", .account, in: wanted) : nil
    let state = wanted.word("state", among: ["open", "delivered", "failed"])
    let count = wanted.integer("count", in: 0...Int.max)
    guard let type = wanted.word("notification", among: NotificationType.allCases.map(\.rawValue)),
      wanted.findings.mistakes.count == mistakes
    else { return nil }
    return .notification(
      NotificationExpectation(
        type: type, subtype: subtype, account: account, state: state.flatMap(NotificationEntry.State.init(rawValue:)),
        count: count))
  }
}
