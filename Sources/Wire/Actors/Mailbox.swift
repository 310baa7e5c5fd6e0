/// Messages in the order in which they came: an actor's mailbox.
package struct Mailbox<Message> {
  private var messages: [Message?] = []
  private var head = 0

  package init() {}

  package var count: Int { messages.count - head }
  package var isEmpty: Bool { count == 0 }

  package mutating func append(_ message: Message) { messages.append(message) }

  /// Puts a message back, to be the next again.
  package mutating func putBack(_ message: Message) {
    if head > 0 {
      head -= 1
      messages[head] = message
    } else {
      messages.insert(message, at: 0)
    }
  }

  package mutating func popFirst() -> Message? {
    guard head < messages.count else { return nil }
    defer {
      head += 1
      // Give the space back in one go now and then, so that a pop costs the same however long the queue.
      if head == messages.count {
        messages.removeAll(keepingCapacity: head <= 64)
        head = 0
      } else if head >= 64, head * 2 >= messages.count {
        messages.removeFirst(head)
        head = 0
      }
    }
    let message = messages[head]
    messages[head] = nil
    return message
  }
}

extension Mailbox: Sendable where Message: Sendable {}
