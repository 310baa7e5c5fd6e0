import Shared

extension ScenarioSection {
  /// `"field"`, `"field,coldStartEmpty=off"`, or an object of a `profile` and single habits.
  func habits(_ key: String) -> HabitChange? {
    guard let node = members[key] else { return nil }
    switch node.value {
    case .string(let text):
      do throws(HabitError) { return try HabitChange(parsing: text) } catch {
        note(error.description, at: key)
        return nil
      }
    case .object(let members): return habits(members, node)
    default:
      note("'\(key)' is \(node.summary): expected \"field\" or {profile: \"field\", coldStartEmpty: true}", at: key)
      return nil
    }
  }

  /// Every mistake is noted at its own place.
  private func habits(_ members: [String: JSONNode], _ node: JSONNode) -> HabitChange? {
    var change = HabitChange()
    let before = findings.mistakes.count
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      do throws(HabitError) {
        switch value.value {
        case .string(let text) where name == "profile": try change.set(profile: text)
        case .bool(let flag): try change.set(name, to: .flag(flag))
        case .number(let text), .string(let text): try change.set(name, toText: text)
        default: try change.set(name, toText: value.summary)
        }
      } catch {
        findings.note(error.description, at: value.keyPosition ?? value.position, in: place)
      }
    }
    return findings.mistakes.count == before ? change : nil
  }
}
