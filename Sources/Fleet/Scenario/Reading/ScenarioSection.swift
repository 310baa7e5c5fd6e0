import Foundation
import Shared

/// One object of a scenario's file, read key by key. A value of the wrong type is noted and reads as absent.
struct ScenarioSection {
  let members: [String: JSONNode]
  let position: SourcePosition
  /// What messages call this object; empty for the file itself.
  let place: String
  let findings: ScenarioFindings

  /// Nil, with a mistake noted, when the node is no object.
  init?(_ node: JSONNode, place: String, findings: ScenarioFindings, expected: String) {
    guard case .object(let members) = node.value else {
      findings.note("found \(node.summary), expected \(expected)", at: node.position, in: place)
      return nil
    }
    self.members = members
    position = node.position
    self.place = place
    self.findings = findings
  }

  func has(_ key: String) -> Bool { members[key] != nil }

  func note(_ message: String, at key: String? = nil) {
    findings.note(message, at: key.flatMap { members[$0]?.position } ?? position, in: place)
  }

  /// Notes each key that has no meaning here.
  func allow(_ keys: [String]) {
    for (key, node) in members where !keys.contains(key) {
      let advice =
        Spelling.closest(to: key, among: keys).map { "did you mean '\($0)'?" }
        ?? "expected \(keys.joined(separator: ", "))"
      findings.note(
        "unknown key \(ScenarioSection.quoted(key)): \(advice)", at: node.keyPosition ?? node.position, in: place)
    }
  }

  /// The value of a key that must be there.
  func required<Value>(_ key: String, _ read: (String) -> Value?) -> Value? {
    guard has(key) else {
      note("'\(key)' is missing")
      return nil
    }
    return read(key)
  }

  func string(_ key: String) -> String? {
    read(key, expected: "text in quotes") { node in
      if case .string(let text) = node.value { text } else { nil }
    }
  }

  func bool(_ key: String) -> Bool? {
    read(key, expected: "true or false") { node in
      if case .bool(let flag) = node.value { flag } else { nil }
    }
  }

  func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
    let limit = range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
    return read(key, expected: "a whole number, \(limit)") { node in
      guard case .number(let text) = node.value, let number = Int(text), range.contains(number) else { return nil }
      return number
    }
  }

  /// A text that is one of the raw values.
  func choice<Choice: RawRepresentable & CaseIterable>(_ key: String, _ type: Choice.Type) -> Choice?
  where Choice.RawValue == String {
    word(key, among: Choice.allCases.map(\.rawValue)).flatMap(Choice.init(rawValue:))
  }

  /// A text that is one of a few.
  func word(_ key: String, among words: [String]) -> String? {
    guard let text = string(key) else { return nil }
    guard words.contains(text) else {
      let advice =
        Spelling.closest(to: text, among: words).map { "did you mean '\($0)'?" }
        ?? "expected \(words.joined(separator: ", "))"
      note("'\(key)' is \(ScenarioSection.quoted(text)): \(advice)", at: key)
      return nil
    }
    return text
  }

  /// The elements of an array, or the one value that stands in its place.
  func list(_ key: String) -> [JSONNode]? {
    guard let node = members[key] else { return nil }
    if case .array(let elements) = node.value { return elements }
    return [node]
  }

  /// The elements of an array.
  func array(_ key: String) -> [JSONNode]? {
    read(key, expected: "a list in [ ]") { node in
      if case .array(let elements) = node.value { elements } else { nil }
    }
  }

  /// The texts of an array, or the one text that stands in its place, each with its place in the file.
  func strings(_ key: String) -> [(text: String, position: SourcePosition)]? {
    list(key)?.compactMap { node in
      guard case .string(let text) = node.value else {
        findings.note("'\(key)' has \(node.summary), expected text in quotes", at: node.position, in: place)
        return nil
      }
      return (text, node.position)
    }
  }

  private func read<Value>(_ key: String, expected: String, _ convert: (JSONNode) -> Value?) -> Value? {
    guard let node = members[key] else { return nil }
    guard let value = convert(node) else {
      note("'\(key)' is \(node.summary): expected \(expected)", at: key)
      return nil
    }
    return value
  }

  /// A text of the file as a message shows it.
  static func quoted(_ text: String) -> String { "'" + JSONNode.escaped(text) + "'" }
}
