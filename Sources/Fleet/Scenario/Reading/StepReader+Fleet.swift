import Shared
import Wire

/// Steps that act on the clock, on processes, and on nothing at all.
extension StepReader {
  func advance() -> ScenarioAction? {
    if case .real = stage.clock {
      section.note(
        "a real clock cannot be advanced: write world: {clock: {manual: \"2026-01-01T00:00:00Z\"}}", at: "advance")
      return nil
    }
    switch section.members["advance"]?.value {
    case .string("nextEvent"): return .advance(.nextEvent)
    case .string: return duration("advance", in: section).map { .advance(.by($0)) }
    case .object(let members):
      guard Array(members.keys) == ["to"], case .string(let text) = members["to"]?.value else { break }
      guard let time = StoreTime(iso8601: text) else {
        let message = "the clock cannot move to \(ScenarioSection.quoted(text)): \(StoreTime.iso8601Rule)"
        section.note(message, at: "advance")
        return nil
      }
      return .advance(.to(time))
    default: break
    }
    let found = section.members["advance"]?.summary ?? "absent"
    section.note("'advance' is \(found): expected \"31d\", \"nextEvent\" or {to: \"2026-02-01\"}", at: "advance")
    return nil
  }

  func server() -> ScenarioAction? {
    section.choice("server", ScenarioAction.ProcessVerb.self).map { .server($0) }
  }

  func client() -> ScenarioAction? {
    let verb = section.required("do") { section.choice($0, ScenarioAction.ProcessVerb.self) }
    guard let number = section.integer("client", in: 1...stage.clients), let verb else { return nil }
    return .client(number, verb)
  }

  func settle() -> ScenarioAction? {
    guard let flag = section.bool("settle") else { return nil }
    if flag { return .settle }
    section.note("'settle' is false, which does nothing: write {settle: true} or leave the step out", at: "settle")
    return nil
  }

  func readNote() -> ScenarioAction? { section.string("note").map { .note($0) } }
}
