/// A configuration file that cannot be loaded, with every mistake found in it, in the order of the file.
package struct CatalogError: Error, Sendable, Hashable, CustomStringConvertible {
  package let file: String
  /// Never empty.
  package let mistakes: [CatalogMistake]

  package init(file: String, mistakes: [CatalogMistake]) {
    self.file = file
    self.mistakes = mistakes
  }

  /// A line for each mistake, ready to print.
  package var lines: [String] { mistakes.map { "\(file): \($0)." } }

  package var description: String {
    let list = mistakes.map(\.description).joined(separator: "; ")
    return mistakes.count == 1 ? "\(file): \(list)." : "\(file) has \(mistakes.count) mistakes: \(list)."
  }
}
