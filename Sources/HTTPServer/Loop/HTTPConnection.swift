import CLinux
import CMicroHTTPD
import Foundation
import Synchronization

/// One connection: what it is doing, by when it must be done, and the request that it carries.
///
/// Sendable by `@unchecked`: it is used on its loop's thread alone. Tasks hold it only to come back there.
final class HTTPConnection: @unchecked Sendable {
  enum Phase {
    /// Between requests.
    case idle
    /// The request line is here, the headers are not.
    case head
    case body
    /// A handler works on it, and the connection is suspended.
    case handling
    case responding
    /// A raw answer was sent; what still comes is thrown away until the client has read it.
    case refused
    /// It ends as soon as libmicrohttpd asks.
    case aborted
  }

  let handle: OpaquePointer
  let loop: HTTPLoop
  let socket: Int32
  /// Its name in the loop's epoll.
  private(set) var tag: UInt64 = 0
  private(set) var phase = Phase.idle
  private var deadline: MonotonicTime?

  /// Counts requests, so that the answer to one never becomes the answer to another.
  private var number: UInt64 = 0
  private var target = ""
  /// Where libmicrohttpd has the zero that ends it: for comparison, never to be read.
  private var targetEnd: UnsafePointer<CChar>?
  /// Until its handler has it.
  private var request: HTTPRequest?
  private var method: HTTPMethod?
  /// The answer that is given in place of the handler's, once the body is through.
  private var refusal: HTTPResponse?
  private var body = Data()
  private var answer: HTTPResponse?
  private(set) var task: Task<Void, Never>?
  var isSuspended = false
  var stream: HTTPBodyStream?
  var peerHasFinished = false
  /// Whether the last look at deadlines found a client that had finished, and nothing under way for it.
  private var isForsaken = false

  init(_ handle: OpaquePointer, loop: HTTPLoop) {
    self.handle = handle
    self.loop = loop
    socket = cmicrohttpd_socket(handle)
    tag = loop.add(self)
    loop.watch(socket, tag, EPOLLRDHUP.rawValue | EPOLLET.rawValue)
    // A client that opens its connections before it needs them is idle, as one between two requests is.
    enter(.idle, for: loop.state.limits.idleTimeout)
  }

  static func from(_ handle: OpaquePointer?) -> HTTPConnection? {
    handle.flatMap { from(cmicrohttpd_socket_context($0)) }
  }

  static func from(_ pointer: UnsafeMutableRawPointer?) -> HTTPConnection? {
    pointer.map { Unmanaged<HTTPConnection>.fromOpaque($0).takeUnretainedValue() }
  }

  private var limits: HTTPServerLimits { loop.state.limits }

  private func enter(_ phase: Phase, for duration: Duration? = nil) {
    self.phase = phase
    deadline = duration.map { loop.now.advanced(by: $0) }
    if duration != nil { loop.needsSweep() }
  }

  // MARK: What libmicrohttpd tells

  func requestBegan(target: UnsafePointer<CChar>) {
    self.target = String(cString: target)
    targetEnd = target + strlen(target)
    // The query is read by us. libmicrohttpd would keep a list of its items where the headers are kept, and refuse some
    // hundred of them for want of room there. It splits the query in place, so this is memory that may be written to.
    if let mark = strchr(target, Int32(UInt8(ascii: "?"))) { mark[1] = 0 }
    isForsaken = false
    guard phase == .idle else { return }
    enter(.head, for: limits.headerTimeout)
  }

  /// Called once when the headers are through, then for each piece of the body, once when it is complete, and once
  /// more after each resumption.
  func access(
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, data: UnsafePointer<CChar>?, count: inout Int
  ) -> MHD_Result {
    switch phase {
    case .idle, .head:
      return headersAreComplete(method: method, version: version)
    case .body where count > 0:
      return take(UnsafeRawBufferPointer(start: data, count: count), &count)
    case .body:
      return bodyIsComplete()
    case .handling:
      guard let answer else { return .NO }
      return send(answer)
    case .refused:
      guard count > 0 else { return .NO }
      count = 0
      return .YES
    case .responding, .aborted:
      return .NO
    }
  }

  /// Not told of requests whose headers were never complete.
  func requestEnded(isComplete: Bool) {
    stream?.close(isComplete ? .serverStopping : .clientGone)
    // A stream that is through has ended its task itself; an unfinished one, and a handler without a client, end here.
    if !isComplete { task?.cancel() }
    (task, stream, request, refusal, answer) = (nil, nil, nil, nil, nil)
    body = Data()
    guard phase != .refused, phase != .aborted else { return }
    if loop.isStopping { return abort() }
    enter(.idle, for: limits.idleTimeout)
  }

  func closed() {
    loop.unwatch(socket)
    stream?.close(.clientGone)
    task?.cancel()
    (task, stream) = (nil, nil)
    phase = .aborted
    loop.connections[tag] = nil
    loop.connectionEnded()
  }

  // MARK: The request

  private func headersAreComplete(method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?) -> MHD_Result {
    isForsaken = false
    let head = RequestHead(handle)
    let request = (try? HTTPTarget(target)).map {
      HTTPRequest(
        method: HTTPMethod(rawValue: method.map { String(cString: $0) } ?? ""), target: $0, headers: head.headers)
    }
    if head.isAmbiguous { return refuse(.badRequest) }
    if let length = head.contentLength, length > limits.bodyBytes { return refuse(.contentTooLarge) }
    if target.utf8.count > limits.headerBytes {
      refusal = HTTPResponse(status: .targetTooLong)
    } else if cmicrohttpd_header_size(handle) > limits.headerBytes || head.headers.fields.count > limits.headerCount {
      refusal = HTTPResponse(status: .headersTooLarge)
    } else if request == nil || targetWasCut(before: version) {
      refusal = .text(HTTPBadTarget().description + "\n", status: .badRequest)
    }
    // Asked whether it may send its body, a client is better told no at once.
    if let refusal, head.expectsContinue { return refuse(refusal.status) }
    self.method = request?.method
    self.request = request
    body = Data(capacity: head.contentLength ?? 0)
    enter(.body, for: limits.bodyTimeout)
    return .YES
  }

  /// Whether the target has a NUL: to libmicrohttpd it ends there, and the version, which should follow after one space,
  /// is further away.
  private func targetWasCut(before version: UnsafePointer<CChar>?) -> Bool {
    guard let targetEnd, let version else { return true }
    return version - targetEnd != 1
  }

  private func take(_ data: UnsafeRawBufferPointer, _ count: inout Int) -> MHD_Result {
    guard body.count + data.count <= limits.bodyBytes else {
      count = 0
      return refuse(.contentTooLarge)
    }
    isForsaken = false
    body.append(contentsOf: data)
    count = 0
    return .YES
  }

  private func bodyIsComplete() -> MHD_Result {
    if let refusal {
      loop.state.refusedRequests.add(1, ordering: .relaxed)
      return send(refusal)
    }
    guard var request = request.take() else { return .NO }
    request.body = body
    body = Data()
    number += 1
    enter(.handling)
    handle(request, number)
    // Many handlers never leave the loop: then the answer is here before the connection has to be put aside.
    loop.runLocalWork()
    if let answer { return send(answer) }
    MHD_suspend_connection(handle)
    isSuspended = true
    return .YES
  }

  /// C calls bring requests and wait for nothing, so each gets a task, which ends with its connection.
  private func handle(_ request: HTTPRequest, _ number: UInt64) {
    let state = loop.state
    state.requests.add(1, ordering: .relaxed)
    loop.liveTasks += 1
    task = Task(executorPreference: loop) {
      let response: HTTPResponse
      do {
        response = try await state.handler(request)
      } catch {
        if !(error is CancellationError) {
          state.report("Could not answer \(request.method.rawValue) \(request.path): \(error)")
        }
        response = HTTPResponse(status: .internalServerError)
      }
      self.loop.perform { self.answered(response, number) }
    }
  }

  private func answered(_ response: HTTPResponse, _ number: UInt64) {
    loop.liveTasks -= 1
    guard phase == .handling, number == self.number else { return }
    answer = response
    resume()
  }

  // MARK: The response

  private func send(_ response: HTTPResponse) -> MHD_Result {
    answer = nil
    enter(.responding)
    let outgoing = OutgoingResponse.make(response, closes: loop.isStopping, connection: self)
    guard let outgoing, (200...999).contains(response.status.rawValue),
      MHD_queue_response(handle, UInt32(clamping: response.status.rawValue), outgoing.pointer) == .YES
    else {
      loop.state.report(
        "Could not answer \(method?.rawValue ?? "") \(target): the status must be from 200 to 999, and a header "
          + "must have no line ends and be none that the server sets.")
      let failure = HTTPResponse(status: .internalServerError)
      guard let outgoing = OutgoingResponse.make(failure, closes: true, connection: self) else { return .NO }
      return MHD_queue_response(handle, 500, outgoing.pointer)
    }
    if case .stream(let write) = response.body, let stream = outgoing.stream, method != .head { begin(stream, write) }
    return .YES
  }

  private func begin(_ stream: HTTPBodyStream, _ write: @escaping @Sendable (HTTPBodyWriter) async throws -> Void) {
    self.stream = stream
    if loop.isStopping { stream.close(.serverStopping) }
    let state = loop.state
    loop.liveTasks += 1
    task = Task(executorPreference: loop) {
      do {
        try await write(HTTPBodyWriter(stream: stream))
        stream.finish()
      } catch {
        if !(error is HTTPStreamClosed), !(error is CancellationError) {
          state.report("Could not finish a stream: \(error)")
        }
        stream.fail()
      }
      self.loop.perform { self.loop.liveTasks -= 1 }
    }
    if loop.isStopping { task?.cancel() }
  }

  // MARK: Refusing

  /// Answers at once, whatever of the request is missing, and ends the connection.
  private func refuse(_ status: HTTPStatus) -> MHD_Result {
    loop.state.refusedRequests.add(1, ordering: .relaxed)
    guard !loop.state.isTLS else {
      guard phase == .idle || phase == .head,
        let outgoing = OutgoingResponse.make(HTTPResponse(status: status), closes: true, connection: self)
      else { return .NO }
      enter(.responding)
      return MHD_queue_response(handle, UInt32(clamping: status.rawValue), outgoing.pointer)
    }
    RawResponse.send(status, to: socket)
    shutdown(socket, Int32(SHUT_WR))
    // Closing a socket with unread bytes takes the answer away from the client, so they are read for a while.
    enter(.refused, for: limits.lingerTimeout)
    return .YES
  }

  // MARK: Deadlines

  func endIfDue(_ now: MonotonicTime) {
    if peerHasFinished { endIfForsaken() }
    guard let deadline, deadline <= now else { return }
    self.deadline = nil
    switch phase {
    case .head, .body:
      guard !loop.state.isTLS else { return abort() }
      _ = refuse(.requestTimeout)
    case .idle, .refused: abort()
    case .handling, .responding, .aborted: break
    }
  }

  /// libmicrohttpd takes a short read for the last one, and so does not see the end that came together with the bytes
  /// before it. From one look to the next it has had the time to do all that these bytes ask for.
  private func endIfForsaken() {
    switch phase {
    case .idle, .head, .body, .refused:
      if isForsaken { return abort() }
      isForsaken = true
    case .handling, .responding, .aborted: isForsaken = false
    }
  }

  // MARK: Stopping

  func beginStop() {
    switch phase {
    case .idle: abort()
    case .responding:
      stream?.close(.serverStopping)
      if stream != nil { task?.cancel() }
    case .head, .body, .handling, .refused, .aborted: break
    }
  }

  /// Ends the connection now, answered or not.
  func abort() {
    phase = .aborted
    deadline = nil
    task?.cancel()
    stream?.close(.clientGone)
    // libmicrohttpd sees the end of the stream and cleans up.
    shutdown(socket, Int32(SHUT_RDWR))
    resume()
  }
}
