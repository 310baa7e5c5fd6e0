import Foundation
import Synchronization
import Wire

/// Who waits for which reply.
final class ReplyDesk: Sendable {
  typealias Handler = @Sendable (Result<ReplyFrames, WireError>) -> Void

  private let waiting = Mutex<[RequestID: Handler]>([:])

  func wait(for id: RequestID, _ handler: @escaping Handler) { waiting.withLock { $0[id] = handler } }

  func take(_ frames: [Data]) {
    guard let reply = try? ReplyFrames(frames: frames), let id = reply.id else { return }
    waiting.withLock { $0.removeValue(forKey: id) }?(.success(reply))
  }

  /// Nobody waits for it any more.
  func giveUp(_ id: RequestID) { waiting.withLock { _ = $0.removeValue(forKey: id) } }
}
