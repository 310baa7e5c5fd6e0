/// What a request asks for: the path and the query of its request line, taken apart.
package struct HTTPTarget: Sendable {
  /// As it was sent, still encoded, without scheme, host and query.
  package let path: String
  /// The parts of the path between its slashes, each decoded on its own, so that `%2F` never parts anything.
  package let segments: [String]
  /// In the order in which they were sent.
  package let query: [HTTPQueryItem]

  /// - Throws: ``HTTPBadTarget`` unless the text is a path, a URL, or the `*` of OPTIONS, and all of it can be decoded.
  package init(_ text: String) throws(HTTPBadTarget) {
    let slash = UInt8(ascii: "/")
    var rest = text[...].utf8
    if rest.first != slash, text != "*" {
      rest = try Self.originForm(of: text)
    }
    var queryText = text[text.endIndex...].utf8
    if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      queryText = rest[rest.index(after: mark)...]
      rest = rest[..<mark]
    }
    var segments: [String] = []
    segments.reserveCapacity(8)
    var start = rest.first == slash ? rest.index(after: rest.startIndex) : rest.startIndex
    while true {
      let end = rest[start...].firstIndex(of: slash) ?? rest.endIndex
      guard let segment = PercentEncoding.decode(rest[start..<end]) else { throw HTTPBadTarget() }
      segments.append(segment)
      guard end < rest.endIndex else { break }
      start = rest.index(after: end)
    }
    self.segments = segments
    path = rest.count == text.utf8.count ? text : String(Substring(rest))
    query = queryText.isEmpty ? [] : try Self.items(of: queryText)
  }

  /// Servers must accept a whole URL as the target (RFC 9112 §3.2.2).
  private static func originForm(of text: String) throws(HTTPBadTarget) -> Substring.UTF8View {
    guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else {
      throw HTTPBadTarget()
    }
    let rest = text[...].utf8.dropFirst(scheme.utf8.count)
    guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return "/"[...].utf8 }
    return rest[slash...]
  }

  private static func items(of text: Substring.UTF8View) throws(HTTPBadTarget) -> [HTTPQueryItem] {
    var items: [HTTPQueryItem] = []
    for part in text.split(separator: UInt8(ascii: "&")) {
      let equals = part.firstIndex(of: UInt8(ascii: "="))
      guard let name = PercentEncoding.decode(part[..<(equals ?? part.endIndex)], plusIsSpace: true) else {
        throw HTTPBadTarget()
      }
      var value: String?
      if let equals {
        value = PercentEncoding.decode(part[part.index(after: equals)...], plusIsSpace: true)
        guard value != nil else { throw HTTPBadTarget() }
      }
      items.append(HTTPQueryItem(name: name, value: value))
    }
    return items
  }
}

/// The target of a request cannot be read.
package struct HTTPBadTarget: Error, CustomStringConvertible {
  package var description: String {
    "The address of the request cannot be read: it must start with '/', and each '%' in it must be followed by two "
      + "hexadecimal digits, which give UTF-8 without NUL."
  }
}
