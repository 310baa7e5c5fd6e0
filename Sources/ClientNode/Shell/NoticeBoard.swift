import Wire

/// The notices of one launch: each kind waits for its first reader, then every reader gets each that comes.
struct NoticeBoard: Sendable {
  private struct Readers<Notice: Sendable>: Sendable {
    private struct Weak: Sendable { weak var stream: DaemonStream<Notice>? }

    private var waiting: [Notice] = []
    private var readers: [Weak] = []

    var streams: [DaemonStream<Notice>] { readers.compactMap(\.stream) }

    mutating func add(_ stream: DaemonStream<Notice>) {
      readers.removeAll { $0.stream == nil }
      readers.append(Weak(stream: stream))
      for notice in waiting { stream.yield(notice) }
      waiting = []
    }

    mutating func post(_ notice: Notice) {
      let streams = streams
      if streams.isEmpty { waiting.append(notice) }
      for stream in streams { stream.yield(notice) }
    }
  }

  private var messages = Readers<SendMessage.Reason>()
  private var intents = Readers<SendPurchaseIntent>()

  mutating func post(_ notice: AppNotice) {
    switch notice {
    case .message(let reason): messages.post(reason)
    case .purchaseIntent(let intent): intents.post(intent)
    }
  }

  mutating func add(_ stream: DaemonStream<SendMessage.Reason>) { messages.add(stream) }
  mutating func add(_ stream: DaemonStream<SendPurchaseIntent>) { intents.add(stream) }

  func end() {
    for stream in messages.streams { stream.end() }
    for stream in intents.streams { stream.end() }
  }
}
