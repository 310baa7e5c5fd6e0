/// What a request asks for: the path and the query of its request line, taken apart.
package struct HTTPTarget: Sendable {
  private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  /// As it was sent, still encoded, without scheme, host and query.
  package let path: String
  /// The parts of the path between its slashes, each decoded on its own, so that `%2F` never parts anything.
  package let segments: [String]
  /// In the order in which they were sent.
  package let query: [HTTPQueryItem]

  /// - Throws: ``HTTPBadTarget`` unless the text is a path, a URL, or the `*` of OPTIONS, and all of it can be decoded.
  package init(_ text: String) throws(HTTPBadTarget) {
    var text = text
    let parts = text.withUTF8 { Self.parts(of: $0[...]) }
    guard let parts else { throw HTTPBadTarget() }
    (path, segments, query) = parts
  }

  private static func parts(of text: Bytes) -> (String, [String], [HTTPQueryItem])? {
    guard var path = originForm(of: text) else { return nil }
    var query: [HTTPQueryItem] = []
    if let mark = path.firstIndex(of: UInt8(ascii: "?")) {
      guard let items = items(of: path[(mark + 1)...]) else { return nil }
      query = items
      path = path[..<mark]
    }
    let slash = UInt8(ascii: "/")
    var segments: [String] = []
    segments.reserveCapacity(8)
    var start = path.first == slash ? path.startIndex + 1 : path.startIndex
    while true {
      let end = path[start...].firstIndex(of: slash) ?? path.endIndex
      guard let segment = PercentEncoding.decode(path[start..<end]) else { return nil }
      segments.append(segment)
      guard end < path.endIndex else { break }
      start = end + 1
    }
    return (String(decoding: path, as: UTF8.self), segments, query)
  }

  /// Servers must accept a whole URL as the target (RFC 9112 §3.2.2).
  private static func originForm(of text: Bytes) -> Bytes? {
    let slash = UInt8(ascii: "/")
    if text.first == slash || text.elementsEqual("*".utf8) { return text }
    let start = String(decoding: text.prefix(8), as: UTF8.self).lowercased()
    guard let scheme = ["http://", "https://"].first(where: start.hasPrefix) else { return nil }
    let rest = text.dropFirst(scheme.utf8.count)
    guard let end = rest.firstIndex(where: { $0 == slash || $0 == UInt8(ascii: "?") }) else { return rest.suffix(0) }
    return rest[end...]
  }

  private static func items(of text: Bytes) -> [HTTPQueryItem]? {
    var items: [HTTPQueryItem] = []
    for part in text.split(separator: UInt8(ascii: "&")) {
      let equals = part.firstIndex(of: UInt8(ascii: "="))
      guard let name = PercentEncoding.decode(part[..<(equals ?? part.endIndex)], plusIsSpace: true) else { return nil }
      var item = HTTPQueryItem(name: name, value: nil)
      if let equals {
        guard let value = PercentEncoding.decode(part[(equals + 1)...], plusIsSpace: true) else { return nil }
        item.value = value
      }
      items.append(item)
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
