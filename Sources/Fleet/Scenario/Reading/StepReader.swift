import Foundation
import Shared

/// Reads one step. Each verb is a method, listed in `StepVerb.all`.
struct StepReader {
  let section: ScenarioSection
  var stage: ScenarioStage

  /// Nil, with the mistakes noted, when the step is wrong.
  static func step(
    _ node: JSONNode, number: Int, stage: inout ScenarioStage, findings: ScenarioFindings
  ) -> ScenarioStep? {
    guard
      let outer = ScenarioSection(node, place: "step \(number)", findings: findings, expected: "a step in { }"),
      let verb = verb(of: outer),
      let section = ScenarioSection(
        node, place: "step \(number) (\(verb.name))", findings: findings, expected: "a step in { }")
    else { return nil }
    section.allow([verb.name] + verb.keys + ["say"])
    var reader = StepReader(section: section, stage: stage)
    let action = verb.read(&reader)
    stage = reader.stage
    let say = section.string("say")
    return action.map { ScenarioStep(number: number, position: node.position, say: say, action: $0) }
  }

  private static func verb(of section: ScenarioSection) -> StepVerb? {
    let found = StepVerb.all.filter { section.has($0.name) }
    let others = found.filter { $0.name != "expect" }
    if others.count > 1 {
      section.note("a step does one thing, not \(others.map { "'\($0.name)'" }.joined(separator: " and "))")
      return nil
    }
    if let verb = others.first ?? found.first { return verb }
    let verbs = StepVerb.all.map(\.name)
    let near = section.members.keys.sorted().lazy.compactMap { key in
      Spelling.closest(to: key, among: verbs).map { (key, $0) }
    }.first
    if let (key, verb) = near {
      let position = section.members[key]?.keyPosition ?? section.position
      section.findings.note(
        "unknown step \(ScenarioSection.quoted(key)): did you mean '\(verb)'?", at: position, in: section.place)
    } else {
      section.note("the step does nothing: expected one of \(verbs.joined(separator: ", "))")
    }
    return nil
  }

  // MARK: What steps have in common

  func known(_ key: String, _ kind: ScenarioNames.Kind) -> String? {
    known(key, kind, in: section)
  }

  func known(_ key: String, _ kind: ScenarioNames.Kind, in section: ScenarioSection) -> String? {
    section.required(key) { key in
      guard let name = section.string(key),
        stage.names.check(name, kind, at: section.members[key]?.position, in: section.place)
      else { return nil }
      return name
    }
  }

  /// Names of a list, or the one name in its place; nil when one of them is wrong.
  func knownList(_ key: String, _ kind: ScenarioNames.Kind, in section: ScenarioSection) -> [String]? {
    let mistakes = section.findings.mistakes.count
    let names = section.strings(key)?.filter {
      stage.names.check($0.text, kind, at: $0.position, in: section.place)
    }
    return section.findings.mistakes.count == mistakes ? names?.map(\.text) : nil
  }

  func devices(_ key: String) -> [String]? {
    section.required(key) { knownList($0, .device, in: section) }
  }

  func duration(_ key: String, in section: ScenarioSection) -> Duration? {
    guard let text = section.string(key) else { return nil }
    do { return try DurationText.parse(text) } catch {
      section.note("\(error)", at: key)
      return nil
    }
  }
}
