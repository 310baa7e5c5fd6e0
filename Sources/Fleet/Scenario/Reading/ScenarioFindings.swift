import Shared

/// Collects the mistakes of a file while the reading goes on, so that a person sees all of them at once.
final class ScenarioFindings {
  private(set) var mistakes: [ScenarioMistake] = []

  func note(_ message: String, at position: SourcePosition?, in place: String) {
    mistakes.append(ScenarioMistake(position: position, place: place, message: message))
  }

  /// In the order of the file, whatever order they were found in.
  var inOrder: [ScenarioMistake] {
    let start = SourcePosition(line: 0, column: 0)
    return mistakes.enumerated().sorted { left, right in
      (left.element.position ?? start, left.offset) < (right.element.position ?? start, right.offset)
    }.map(\.element)
  }
}
