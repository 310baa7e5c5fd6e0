import Dispatch
import Foundation
import ServerNode
import Synchronization
import Wire

/// A control connection to the server node of this process.
///
/// The waiting form blocks its thread and nothing else: the answer comes from threads of the nodes, which need none of
/// Swift's cooperative pool. So any number of threads of that pool may wait here.
final class ControlLine: Sendable {
  /// Nothing here takes as long, short of a machine that is suspended.
  private static let patience: DispatchTimeInterval = .seconds(60)

  private let desk: ReplyDesk
  private let peer: LocalPeer

  init(to server: StoreServer) {
    let desk = ReplyDesk()
    self.desk = desk
    peer = server.connect { desk.take($0) }
  }

  func ask<Message: Request>(_ message: Message, of address: ActorAddress) throws(WireError) -> Message.Reply {
    let done = DispatchSemaphore(value: 0)
    let answer = Mutex<Result<ReplyFrames, WireError>?>(nil)
    let id = send(message, to: address) { result in
      answer.withLock { $0 = result }
      done.signal()
    }
    guard done.wait(timeout: .now() + ControlLine.patience) == .success, let result = answer.withLock({ $0 }) else {
      desk.giveUp(id)
      throw WireError(.deadlineExceeded, "the store of this process did not answer '\(Message.name)' in time")
    }
    return try ControlLine.reply(to: message, result)
  }

  func ask<Message: Request>(_ message: Message, of address: ActorAddress) async throws(WireError) -> Message.Reply {
    let result = await withCheckedContinuation { continuation in
      _ = send(message, to: address) { continuation.resume(returning: $0) }
    }
    return try ControlLine.reply(to: message, result)
  }

  private func send<Message: Request>(
    _ message: Message, to address: ActorAddress, _ handler: @escaping ReplyDesk.Handler
  ) -> RequestID {
    let id = RequestID(UUID())
    desk.wait(for: id, handler)
    peer.send(RequestFrames(message, to: address, id: id, deadlineMilliseconds: 30_000).frames)
    return id
  }

  private static func reply<Message: Request>(
    to message: Message, _ result: Result<ReplyFrames, WireError>
  ) throws(WireError) -> Message.Reply {
    switch try result.get().outcome {
    case .ok(let body): return try WireJSON.decode(Message.Reply.self, from: body)
    case .failed(let error): throw error
    }
  }
}
