import CCurl
import Foundation
import Synchronization

/// The thread that drives libcurl.
///
/// Sendable by `@unchecked`: the inbox is under its lock; everything else but `multi`, which is never changed and whose
/// `curl_multi_wakeup` may be called from any thread, is used on the loop's thread alone.
final class TransferLoop: @unchecked Sendable {
  private struct Inbox {
    var requests: [TransferRequest] = []
    var cancelled: [UInt64] = []
    var isStopping = false
  }

  private let configuration: HTTPClientConfiguration
  private let inbox = Mutex(Inbox())
  private let multi: UnsafeMutableRawPointer
  private var waiting: [TransferRequest] = []
  /// The first of `waiting` that is still to be started.
  private var nextWaiting = 0
  private var active: [UnsafeMutableRawPointer: Transfer] = [:]
  private var idleHandles: [UnsafeMutableRawPointer] = []

  init(_ configuration: HTTPClientConfiguration) {
    self.configuration = configuration
    guard Self.isReady, let multi = curl_multi_init() else { fatalError("libcurl has no memory to start") }
    self.multi = multi
    ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, max(configuration.concurrencyPerHost, 1))
    ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(configuration.concurrency, 1))
  }

  /// libcurl is made ready once in a process, before any thread uses it.
  private static let isReady = ccurl_start() == CURLE_OK

  deinit {
    for handle in idleHandles { curl_easy_cleanup(handle) }
    curl_multi_cleanup(multi)
  }

  /// The thread holds the loop, not the client, until `stop`.
  func start() {
    let thread = Thread { self.run() }
    thread.name = "http-client"
    thread.start()
  }

  // MARK: From any thread

  func submit(_ request: TransferRequest) {
    inbox.withLock { $0.requests.append(request) }
    curl_multi_wakeup(multi)
  }

  /// Ends the request, wherever it is. One that has ended is ignored.
  func cancel(_ id: UInt64) {
    inbox.withLock { $0.cancelled.append(id) }
    curl_multi_wakeup(multi)
  }

  func stop() {
    inbox.withLock { $0.isStopping = true }
    curl_multi_wakeup(multi)
  }

  // MARK: On the loop's thread

  private func run() {
    while takeInbox() {
      startWaiting()
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      var code = CURLE_OK
      var ended = 0
      while let easy = ccurl_next_done(multi, &code) {
        end(easy) { $0.result(code) }
        ended += 1
      }
      // What has ended makes room, and what takes the room is to be started before the thread sleeps.
      if ended > 0, nextWaiting < waiting.count { continue }
      curl_multi_poll(multi, nil, 0, 60_000, nil)
    }
    for easy in active.keys { end(easy) { .failure($0.failure(.cancelled, "The client was closed.")) } }
  }

  /// Whether there is more to do.
  private func takeInbox() -> Bool {
    let news = inbox.withLock { inbox in
      defer { (inbox.requests, inbox.cancelled) = ([], []) }
      return inbox
    }
    waiting += news.requests
    for id in news.cancelled { cancelNow(id) }
    return !news.isStopping
  }

  private func cancelNow(_ id: UInt64) {
    func failure(_ url: String) -> Result<HTTPClientResponse, HTTPClientError> {
      .failure(HTTPClientError(code: .cancelled, url: url, reason: "The request was cancelled."))
    }
    if let index = waiting[nextWaiting...].firstIndex(where: { $0.id == id }) {
      let request = waiting.remove(at: index)
      request.answer(failure(request.url))
    } else if let easy = active.first(where: { $0.value.request.id == id })?.key {
      end(easy) { failure($0.request.url) }
    }
  }

  private func startWaiting() {
    while active.count < max(configuration.concurrency, 1), nextWaiting < waiting.count {
      let request = waiting[nextWaiting]
      nextWaiting += 1
      guard let easy = idleHandles.popLast() ?? curl_easy_init() else {
        request.answer(
          .failure(HTTPClientError(code: .other, url: request.url, reason: "There is no memory for a request.")))
        continue
      }
      active[easy] = Transfer(request, easy: easy, configuration: configuration)
      curl_multi_add_handle(multi, easy)
    }
    if nextWaiting == waiting.count || nextWaiting > 1024 {
      waiting.removeFirst(nextWaiting)
      nextWaiting = 0
    }
  }

  private func end(
    _ easy: UnsafeMutableRawPointer, _ result: (Transfer) -> Result<HTTPClientResponse, HTTPClientError>
  ) {
    guard let transfer = active.removeValue(forKey: easy) else { return }
    curl_multi_remove_handle(multi, easy)
    let result = result(transfer)
    // Connections live in the multi handle: a handle that is reset keeps nothing of its request.
    curl_easy_reset(easy)
    idleHandles.append(easy)
    transfer.request.answer(result)
  }
}
