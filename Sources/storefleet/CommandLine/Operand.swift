/// A word that a command takes without an option, for example the file that it reads.
struct Operand: Hashable, Sendable {
  enum Count: Hashable, Sendable {
    case one
    case oneAtMost
    case any
    case oneOrMore
  }

  /// What stands for it in the help, for example `SCENARIO`.
  let name: String
  let help: String
  let count: Count
  /// What to say to a word such as `-5d`, which would otherwise be taken for an option.
  let ifNegative: String?

  init(_ name: String, _ count: Count = .one, ifNegative: String? = nil, help: String) {
    self.name = name
    self.help = help
    self.count = count
    self.ifNegative = ifNegative
  }

  var usage: String {
    switch count {
    case .one: name
    case .oneAtMost: "[\(name)]"
    case .any: "[\(name)…]"
    case .oneOrMore: "\(name)…"
    }
  }

  var isRequired: Bool { count == .one || count == .oneOrMore }
  var isRepeated: Bool { count == .any || count == .oneOrMore }
}
