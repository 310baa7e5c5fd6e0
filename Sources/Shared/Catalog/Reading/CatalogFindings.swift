/// What a reader of one configuration file notices on its way. It lives as long as one call and never leaves it.
final class CatalogFindings {
  private(set) var mistakes: [CatalogMistake] = []
  private(set) var warnings: [CatalogWarning] = []
  private var unknownKeys: [String] = []

  func add(_ mistake: CatalogMistake) { mistakes.append(mistake) }

  func warn(_ keyPath: String, _ text: String) { warnings.append(CatalogWarning(keyPath: keyPath, text: text)) }

  func addUnknownKeys(_ keyPaths: [String]) { unknownKeys += keyPaths }

  /// The warnings, with a single one for all keys that nobody knows: a newer Xcode may write hundreds.
  func finishedWarnings() -> [CatalogWarning] {
    guard let first = unknownKeys.first else { return warnings }
    let others = unknownKeys.count - 1
    let more = others == 0 ? "" : ", like \(others) more unknown key\(others == 1 ? "" : "s")"
    return warnings + [CatalogWarning(keyPath: first, text: "is no known key and is ignored\(more)")]
  }
}
