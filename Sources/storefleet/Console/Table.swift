/// A text table for a terminal: a head, a rule and rows, two spaces between columns, no space at the end of a line.
struct Table {
  enum Alignment {
    case leading
    case trailing
  }

  struct Column {
    let title: String
    let alignment: Alignment

    init(_ title: String, _ alignment: Alignment = .leading) {
      self.title = title
      self.alignment = alignment
    }
  }

  private let columns: [Column]
  private var rows: [[TerminalText]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row. Missing cells at its end are empty.
  mutating func addRow(_ cells: [String]) {
    precondition(cells.count <= columns.count, "a row has more cells than the table has columns")
    rows.append(cells.map(TerminalText.init))
  }

  /// The lines of the table, head first.
  var lines: [String] { lines(fitting: nil) }

  /// The lines of the table, head first. Where they would be wider than `width` cells, the widest columns are cut.
  func lines(fitting width: Int?) -> [String] {
    let titles = columns.map { TerminalText($0.title) }
    let all = [titles] + rows
    let natural = columns.indices.map { column in
      all.map { $0.indices.contains(column) ? $0[column].width : 0 }.max() ?? 0
    }
    let widths = width.map { Table.narrowed(natural, to: $0) } ?? natural
    let rule = widths.map { TerminalText(String(repeating: "-", count: $0)) }
    let fitted = all.map { row in zip(row, widths).map { $0.cut(to: $1) } }
    return ([fitted[0], rule] + fitted.dropFirst()).map { line($0, widths: widths) }
  }

  /// A column that is cut keeps this many cells: enough to see what it is about.
  private static let narrowest = 12

  private static func narrowed(_ widths: [Int], to width: Int) -> [Int] {
    var widths = widths
    var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
    while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > narrowest {
      // Down to the next narrower column at a time, so that the widest ones end up alike.
      let next = max(narrowest, widths.filter { $0 < widths[widest] }.max() ?? narrowest)
      let taken = max(1, min(excess, widths[widest] - next))
      widths[widest] -= taken
      excess -= taken
    }
    return widths
  }

  private func line(_ cells: [TerminalText], widths: [Int]) -> String {
    var text = ""
    var gap = 0
    for (index, cell) in cells.enumerated() {
      let padding = widths[index] - cell.width
      let isTrailing = columns[index].alignment == .trailing
      if cell.width > 0 {
        text += String(repeating: " ", count: gap + (isTrailing ? padding : 0)) + cell.text
        gap = (isTrailing ? 0 : padding) + 2
      } else {
        gap += padding + 2
      }
    }
    return text
  }
}
