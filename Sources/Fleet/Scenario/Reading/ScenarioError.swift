import Shared

/// A scenario that cannot be played, with every mistake found in it, in the order of the file.
package struct ScenarioError: Error, Sendable, Hashable, CustomStringConvertible {
  package var file: String
  /// Never empty.
  package var mistakes: [ScenarioMistake]

  /// A line for each mistake, `file:line:column: place: what is wrong`, as editors and terminals link it.
  package var lines: [String] {
    mistakes.map { mistake in
      let position = mistake.position.map { ":\($0.line):\($0.column)" } ?? ""
      return "\(file)\(position): " + (mistake.place.isEmpty ? "" : mistake.place + ": ") + mistake.message
    }
  }

  package var description: String { lines.joined(separator: "\n") }
}
