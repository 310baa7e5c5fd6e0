/// Header fields in the order in which they came; names compare without regard to case.
package struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
  package private(set) var fields: [(name: String, value: String)] = []

  package init() {}

  package init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { (name: $0.0, value: $0.1) }
  }

  init(reserving count: Int) { fields.reserveCapacity(count) }

  /// The first value of that name. Setting replaces all values of the name; nil removes them.
  package subscript(name: String) -> String? {
    get { fields.first { HTTPHeaders.areEqual($0.name, name) }?.value }
    set {
      fields.removeAll { HTTPHeaders.areEqual($0.name, name) }
      if let newValue { add(name, newValue) }
    }
  }

  /// All values of that name, in order.
  package func values(of name: String) -> [String] {
    fields.compactMap { HTTPHeaders.areEqual($0.name, name) ? $0.value : nil }
  }

  package mutating func add(_ name: String, _ value: String) { fields.append((name: name, value: value)) }

  /// Field names are ASCII, so nothing but the letters A to Z has a case here.
  static func areEqual(_ one: String, _ other: String) -> Bool {
    var (one, other) = (one.utf8.makeIterator(), other.utf8.makeIterator())
    while true {
      switch (one.next(), other.next()) {
      case (nil, nil): return true
      case (let left?, let right?) where left == right || lowercased(left) == lowercased(right): continue
      default: return false
      }
    }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

extension HTTPHeaders: CustomStringConvertible {
  /// Names only: values hold tokens, and descriptions end in logs.
  package var description: String { fields.map(\.name).joined(separator: ", ") }
}
