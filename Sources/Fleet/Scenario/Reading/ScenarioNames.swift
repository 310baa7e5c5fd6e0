import Shared

/// Everything that a step may name, and what to say about a name that is none of them.
struct ScenarioNames {
  enum Kind: String {
    case account, family, user, device, product
  }

  private(set) var known: [Kind: [String]] = [:]
  private var index: [Kind: Set<String>] = [:]
  let catalog: String
  let findings: ScenarioFindings

  init(catalog: String, productIds: [String]?, findings: ScenarioFindings) {
    self.catalog = catalog
    self.findings = findings
    known[.product] = productIds
    index[.product] = productIds.map(Set.init)
  }

  /// - Returns: false when the name was there before.
  mutating func add(_ name: String, _ kind: Kind) -> Bool {
    guard index[kind, default: []].insert(name).inserted else { return false }
    known[kind, default: []].append(name)
    return true
  }

  /// Whether the name is known, with a mistake noted when not. Without a catalogue every product passes: that the
  /// catalogue is missing was said already.
  func check(_ name: String, _ kind: Kind, at position: SourcePosition?, in place: String) -> Bool {
    if index[kind]?.contains(name) ?? (kind == .product) { return true }
    findings.note(message(name, kind), at: position, in: place)
    return false
  }

  private func message(_ name: String, _ kind: Kind) -> String {
    let candidates = known[kind] ?? []
    let quoted = ScenarioSection.quoted(name)
    let start = kind == .product ? "\(catalog) has no product \(quoted)" : "there is no \(kind.rawValue) \(quoted)"
    let near =
      candidates.first { $0.hasSuffix("." + name) && !name.isEmpty } ?? Spelling.closest(to: name, among: candidates)
    if let near { return "\(start): did you mean '\(near)'?" }
    if candidates.isEmpty { return "\(start): the scenario has none" }
    let shown = candidates.prefix(8).joined(separator: ", ")
    let rest = candidates.count > 8 ? " and \(candidates.count - 8) more" : ""
    return "\(start): there \(candidates.count == 1 ? "is" : "are") \(shown)\(rest)"
  }
}
