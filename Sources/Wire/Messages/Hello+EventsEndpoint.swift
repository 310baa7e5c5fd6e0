extension Hello.Reply {
  /// The endpoint that an asker connects its SUB socket to, when it reaches the server node through `requestsEndpoint`.
  ///
  /// A node that listens on every interface cannot know by which of its addresses a peer reaches it: the peer knows.
  package func eventsEndpoint(reachedThrough requestsEndpoint: String) -> String {
    guard let events = TCPEndpoint(eventsEndpoint), TCPEndpoint.wildcards.contains(events.host),
      let requests = TCPEndpoint(requestsEndpoint)
    else { return eventsEndpoint }
    return "tcp://\(requests.host):\(events.port)"
  }

  /// `tcp://HOST:PORT`; of `tcp://SOURCE;HOST:PORT` only what is connected to.
  private struct TCPEndpoint {
    static let wildcards: Set<Substring> = ["0.0.0.0", "[::]", "*"]

    var host: Substring
    var port: Substring

    init?(_ text: String) {
      guard text.hasPrefix("tcp://") else { return nil }
      let target = text.dropFirst("tcp://".count).split(separator: ";", omittingEmptySubsequences: false).last ?? ""
      guard let colon = target.lastIndex(of: ":"), colon > target.startIndex else { return nil }
      host = target[..<colon]
      port = target[target.index(after: colon)...]
    }
  }
}
