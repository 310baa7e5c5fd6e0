import Dispatch
package import Foundation
import Synchronization
package import Wire

/// Asks the actors of a server node from within its process, on any thread, as a control connection does from outside.
///
/// There is no socket in between: a request goes to the node's thread and its answer comes back to the task that asked.
package struct LocalAsker: Sendable {
  /// How many may wait at once. Handlers of HTTP requests ask one thing at a time, so this is more than a server has
  /// connections.
  static let mostWaiting = 20_000

  let server: StoreServer

  /// Asks an actor.
  ///
  /// - Parameters:
  ///   - id: The same again for a retry: what was done already is answered again and not done twice.
  ///   - patience: How long the answer is waited for.
  /// - Throws: What the actor says instead of yes; `deadlineExceeded` when nothing came, or the task was cancelled.
  package func ask<Message: Request>(
    _ message: Message, of address: ActorAddress, id: RequestID = RequestID(UUID()), attachments: [Data] = [],
    within patience: Duration = .seconds(10)
  ) async throws(WireError) -> Answer<Message.Reply> {
    let answer = try await ask(
      Message.name, body: WireJSON.encode(message), of: address, id: id, attachments: attachments, within: patience)
    return Answer(try WireJSON.decode(Message.Reply.self, from: answer.body), attachments: answer.attachments)
  }

  /// The same, blocking the calling thread. The answer comes from the node's own threads, which need none of Swift's
  /// cooperative pool: any number of threads of that pool may wait here.
  package func askAndWait<Message: Request>(
    _ message: Message, of address: ActorAddress, within patience: Duration = .seconds(10)
  ) throws(WireError) -> Message.Reply {
    let request = RequestFrames(
      message, to: address, id: RequestID(UUID()), deadlineMilliseconds: UInt32(clamping: max(1, patience.milliseconds))
    )
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<LocalRequests.Result?>(nil)
    server.localRequests.wait(for: request.id, until: .now + patience) {
      server.take(local: request.frames)
    } answer: { answer in
      result.withLock { $0 = answer }
      done.signal()
    }
    done.wait()
    guard let answer = try result.withLock({ $0 })?.get() else {
      throw WireError(.internalError, "an answer was signalled and is not there")
    }
    return try WireJSON.decode(Message.Reply.self, from: answer.body)
  }

  /// The same for a message whose JSON is at hand; the reply is JSON too.
  package func ask(
    _ name: String, body: Data, of address: ActorAddress, id: RequestID = RequestID(UUID()), attachments: [Data] = [],
    within patience: Duration = .seconds(10)
  ) async throws(WireError) -> Answer<Data> {
    let request = RequestFrames(
      id: id, address: address, name: name, body: body, attachments: attachments,
      deadlineMilliseconds: UInt32(clamping: max(1, patience.milliseconds)))
    let deadline = ContinuousClock.now + patience
    let result = await server.localRequests.wait(for: id, until: deadline) { server.take(local: request.frames) }
    return try result.get()
  }
}
