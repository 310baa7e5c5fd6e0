package import Foundation

/// One event of a `text/event-stream` (WHATWG HTML: Server-sent events).
package struct ServerSentEvent: Hashable, Sendable {
  package var id: String?
  package var event: String?
  package var data: String

  package init(id: String? = nil, event: String? = nil, data: String) {
    self.id = id
    self.event = event
    self.data = data
  }

  /// A comment, which readers pass over: sent now and then, it keeps proxies from closing a quiet stream.
  package static let heartbeat = Data(":\n\n".utf8)

  package var encoded: Data {
    var text = ""
    if let id { text += "id: \(Self.oneLine(id))\n" }
    if let event { text += "event: \(Self.oneLine(event))\n" }
    // Each line of the data is a field of its own; "\r\n" is one Character in Swift, and a new line too.
    for line in data.split(omittingEmptySubsequences: false, whereSeparator: Self.endsLine) {
      text += "data: \(line)\n"
    }
    text += "\n"
    return Data(text.utf8)
  }

  private static func oneLine(_ text: String) -> String { text.filter { !endsLine($0) && $0 != "\0" } }
  private static func endsLine(_ character: Character) -> Bool { ["\n", "\r", "\r\n"].contains(character) }
}
