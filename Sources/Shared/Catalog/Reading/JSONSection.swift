/// A JSON object of a configuration file with its key path. Reading a member of the wrong kind notes a mistake and goes
/// on, so that one look at a file finds all its mistakes. A member that is `null` counts as missing.
struct JSONSection {
  let keyPath: String
  let position: SourcePosition
  let findings: CatalogFindings
  private let members: [String: JSONNode]

  /// Notes a mistake and gives nil when the node is no object.
  init?(_ node: JSONNode, keyPath: String, findings: CatalogFindings) {
    guard case .object(let members) = node.value else {
      let found = keyPath == Self.secretKey ? "something else" : node.summary
      findings.add(
        CatalogMistake(position: node.position, keyPath: keyPath, found: found, expected: "an object"))
      return nil
    }
    self.keyPath = keyPath
    position = node.position
    self.findings = findings
    self.members = members
  }

  /// The one member whose content must not reach any message.
  static let secretKey = "subscriptionOffersKeyPair"

  func path(_ key: String) -> String { keyPath.isEmpty ? key : keyPath + "." + key }

  func contains(_ key: String) -> Bool { member(key) != nil }

  /// The member, unless it is missing or null.
  func member(_ key: String) -> JSONNode? { members[key].flatMap { $0.isNull ? nil : $0 } }

  /// Remembers the keys that are not in `known`.
  func noteUnknownKeys(known: Set<String>) {
    let unknown = members.filter { !known.contains($0.key) }
    findings.addUnknownKeys(
      unknown.sorted { $0.value.position < $1.value.position }.map { path(JSONNode.escaped($0.key)) })
  }

  /// Notes that the member is not what it should be, or is missing.
  func refuse(_ key: String, expected: String) {
    let node = member(key)
    let isSecret = keyPath == Self.secretKey || key == Self.secretKey
    let found = isSecret && node != nil ? "something else" : node?.summary ?? "nothing"
    findings.add(
      CatalogMistake(
        position: node?.position ?? position, keyPath: path(key), found: found, expected: expected))
  }

  func string(_ key: String) -> String? {
    guard let node = member(key) else { return nil }
    if case .string(let text) = node.value { return text }
    refuse(key, expected: "a string")
    return nil
  }

  /// A string that names something: not empty, without white space or control characters.
  func identifier(_ key: String) -> String? {
    if let text = member(key)?.text, !text.isEmpty,
      text.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && $0.properties.generalCategory != .control })
    {
      return text
    }
    refuse(key, expected: "an id without white space")
    return nil
  }

  func bool(_ key: String, default fallback: Bool = false) -> Bool {
    guard let node = member(key) else { return fallback }
    if case .bool(let flag) = node.value { return flag }
    refuse(key, expected: "true or false")
    return fallback
  }

  func integer(_ key: String, in range: ClosedRange<Int>, default fallback: Int) -> Int {
    guard let node = member(key) else { return fallback }
    if case .number(let text) = node.value, let number = Int(text), range.contains(number) { return number }
    refuse(key, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    return fallback
  }

  /// A price in thousandths of the currency unit. Apple writes a string; a number is read from its digits.
  func priceMilliunits(_ key: String) -> Int64? {
    let written = member(key)?.decimalText
    if let price = written.flatMap({ Milliunits.parse($0) }) { return price }
    if let written, written.contains(",") {
      refuse(key, expected: "a decimal point in the price, such as \"0.99\", whatever the locale")
    } else {
      refuse(key, expected: "a price such as \"0.99\": digits, at most three decimals, no sign and no currency")
    }
    return nil
  }

  func period(_ key: String) -> SubscriptionPeriod? {
    if let period = member(key)?.text.flatMap({ SubscriptionPeriod($0) }) { return period }
    refuse(key, expected: "a period such as \"P1W\", \"P1M\" or \"P1Y\"")
    return nil
  }

  /// An object; nil when it is missing.
  func section(_ key: String) -> JSONSection? {
    member(key).flatMap { JSONSection($0, keyPath: path(key), findings: findings) }
  }

  /// The elements of an array; none when it is missing.
  func elements(_ key: String) -> [(node: JSONNode, keyPath: String)] {
    guard let node = member(key) else { return [] }
    guard case .array(let elements) = node.value else {
      refuse(key, expected: "an array")
      return []
    }
    return elements.enumerated().map { ($1, "\(path(key))[\($0)]") }
  }

  /// The objects of an array; none when it is missing.
  func sections(_ key: String) -> [JSONSection] {
    elements(key).compactMap { JSONSection($0.node, keyPath: $0.keyPath, findings: findings) }
  }
}

extension JSONNode {
  /// The text of a string.
  var text: String? {
    if case .string(let text) = value { text } else { nil }
  }

  /// The text of a string, or a number as it is written.
  fileprivate var decimalText: String? {
    switch value {
    case .string(let text), .number(let text): text
    default: nil
    }
  }
}
