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
  var lines: [String] {
    let titles = columns.map { TerminalText($0.title) }
    let widths = columns.indices.map { column in
      ([titles] + rows).map { $0.indices.contains(column) ? $0[column].width : 0 }.max() ?? 0
    }
    let rule = widths.map { TerminalText(String(repeating: "-", count: $0)) }
    return ([titles, rule] + rows).map { line($0, widths: widths) }
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
