import Foundation

/// The protocol's documents, for tests that hold the code to them.
///
/// An example in them is a fenced code block whose info string is a language and a name: "json purchase.request".
enum ProtocolDocument {
  struct Example: Sendable {
    var name: String
    var text: String
  }

  enum Problem: Error, CustomStringConvertible {
    case unreadable(String)
    case openBlock(String)
    case twice(String)

    var description: String {
      switch self {
      case .unreadable(let file): "docs/protocol/\(file) cannot be read"
      case .openBlock(let name): "the example '\(name)' has no end"
      case .twice(let name): "there are two examples '\(name)'"
      }
    }
  }

  private static let files = ["01-frames.md", "02-session.md", "03-messages.md", "04-events-and-catch-up.md"]

  /// Every example in `language`, by name.
  static func examples(in language: String) throws -> [String: String] {
    var examples: [String: String] = [:]
    for example in try files.flatMap({ try blocks(of: language, in: $0) }) {
      guard examples.updateValue(example.text, forKey: example.name) == nil else { throw Problem.twice(example.name) }
    }
    return examples
  }

  private static func blocks(of language: String, in file: String) throws -> [Example] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    guard let text = try? String(contentsOf: root.appending(path: "docs/protocol/\(file)"), encoding: .utf8) else {
      throw Problem.unreadable(file)
    }
    let fence = "```" + language + " "
    var examples: [Example] = []
    var open: Example?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let example = open {
        if line == "```" {
          examples.append(example)
          open = nil
        } else {
          open?.text += line + "\n"
        }
      } else if line.hasPrefix(fence) {
        open = Example(name: String(line.dropFirst(fence.count)), text: "")
      }
    }
    if let open { throw Problem.openBlock(open.name) }
    return examples
  }
}
