import Foundation
import HTTPServer
import Shared
import Synchronization

/// The developer's server of a test: keeps what it is sent, and answers as it is told.
final class NotificationReceiver: Sendable {
  struct Notification: Decodable, Hashable, Sendable {
    var notificationType: String
    var subtype: String?
    var notificationUUID: UUID

    var words: String { notificationType + (subtype.map { " \($0)" } ?? "") }
  }

  private final class Box: Sendable {
    let state: Mutex<(payloads: [String], statuses: [Int])>
    let arrivals: AsyncStream<Void>.Continuation

    init(_ statuses: [Int], _ arrivals: AsyncStream<Void>.Continuation) {
      state = Mutex(([], statuses))
      self.arrivals = arrivals
    }

    func take(_ body: Data) -> Int {
      struct Body: Decodable { var signedPayload: String }
      let payload = (try? JSONDecoder().decode(Body.self, from: body))?.signedPayload ?? ""
      let status = state.withLock { state in
        state.payloads.append(payload)
        return state.statuses.isEmpty ? 200 : state.statuses.removeFirst()
      }
      arrivals.yield()
      return status
    }
  }

  private let box: Box
  private let server: HTTPServer
  private let arrivals: AsyncStream<Void>

  /// - Parameters:
  ///   - statuses: of the first answers; all that follow are 200.
  ///   - port: 0 for any.
  init(statuses: [Int] = [], port: Int = 0) throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let box = Box(statuses, arrival)
    self.arrivals = arrivals
    self.box = box
    server = try HTTPServer(HTTPServerConfiguration(port: port), report: { _ in }) { request in
      HTTPResponse(status: HTTPStatus(rawValue: box.take(request.body)))
    }
  }

  var url: String { "http://127.0.0.1:\(server.port)/notifications" }

  /// Every payload that came, in order.
  var payloads: [String] { box.state.withLock { $0.payloads } }

  func notifications() throws -> [Notification] {
    try payloads.map {
      try JSONDecoder().decode(Notification.self, from: try CompactJWS(Data($0.utf8)).payloadData)
    }
  }

  /// Waits until so many have come in all. One waiter at a time.
  func wait(for count: Int) async throws {
    if payloads.count >= count { return }
    try await inTime("\(count) notifications; \(self.payloads.count) have come") {
      for await _ in self.arrivals where self.payloads.count >= count { return }
    }
  }

  func stop() async { await server.stop(within: .zero) }
}
