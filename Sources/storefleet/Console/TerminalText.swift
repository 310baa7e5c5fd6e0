/// One line of text for a terminal, and how many cells it fills there.
struct TerminalText {
  /// Control characters, line breaks included, are replaced: text from a file must not steer the terminal.
  let text: String
  let width: Int

  init(_ text: String) {
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: clean.append("\u{FFFD}")
      default:
        // Direction overrides would show the rest of the line in another order.
        clean.append(scalar.properties.isBidiControl ? "\u{FFFD}" : scalar)
      }
    }
    self.text = String(clean).trimmedEnd
    width = self.text.reduce(0) { $0 + TerminalText.width(of: $1) }
  }

  /// The text itself, or its beginning with an ellipsis, in at most `cells` cells.
  func cut(to cells: Int) -> TerminalText {
    guard width > cells else { return self }
    var kept = ""
    var used = 1
    for character in text {
      used += TerminalText.width(of: character)
      if used > cells { break }
      kept.append(character)
    }
    return TerminalText(kept + "…")
  }

  /// The cells of one character: 2 for East Asian wide characters and emoji, 0 for a mark that stands alone.
  private static func width(of character: Character) -> Int {
    guard let base = character.unicodeScalars.first else { return 0 }
    if character.unicodeScalars.contains("\u{FE0F}") || base.properties.isEmojiPresentation { return 2 }
    if wideRanges.contains(where: { $0.contains(base.value) }) { return 2 }
    switch base.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }

  /// Source: Unicode Standard Annex 11, East Asian Width, classes W and F, in blocks.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
    0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x20000...0x3FFFD,
  ]
}

extension String {
  fileprivate var trimmedEnd: String {
    var result = self[...]
    while result.last == " " { result.removeLast() }
    return String(result)
  }
}
