/// A place in a text file; lines and columns count from 1, columns in Unicode scalars.
package struct SourcePosition: Sendable, Hashable, Codable {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension SourcePosition: Comparable {
  package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
