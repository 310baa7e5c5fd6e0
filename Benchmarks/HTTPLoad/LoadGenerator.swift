import CLinux
import Foundation
import Glibc

/// Keep-alive connections from one thread, each with one request under way: as soon as a response is complete, the next
/// request goes out.
package struct LoadGenerator: Sendable {
  package struct Result {
    package var requests = 0
    package var seconds = 0.0
    /// Connections that the server closed, and that were opened anew.
    package var closed = 0
    /// Of each request, in nanoseconds, sorted.
    package var latencies: [UInt32] = []
    /// Processor time of the whole process without the generator, in seconds.
    package var serverSeconds = 0.0

    package var rate: Double { Double(requests) / seconds }
    package var serverMicroseconds: Double { serverSeconds / Double(max(requests, 1)) * 1e6 }

    package func milliseconds(percentile: Double) -> Double {
      let index = min(Int(Double(latencies.count) * percentile), latencies.count - 1)
      return latencies.isEmpty ? 0 : Double(latencies[index]) / 1e6
    }
  }

  /// What asks for a path with a token.
  package static func request(_ path: String, token: String) -> [UInt8] {
    Array(
      ("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\nAuthorization: Bearer \(token)\r\n"
        + "Accept: application/json\r\n\r\n").utf8)
  }

  let port: Int
  let connections: Int
  let request: @Sendable (Int) -> [UInt8]

  /// - Parameter request: The bytes of the n-th request, from 0.
  package init(port: Int, connections: Int, request: @escaping @Sendable (Int) -> [UInt8]) {
    self.port = port
    self.connections = connections
    self.request = request
  }

  /// The same request again and again.
  package init(port: Int, connections: Int, path: String, token: String) {
    let request = Self.request(path, token: token)
    self.init(port: port, connections: connections) { _ in request }
  }

  /// Asks for `seconds`, or until `most` requests were answered. Blocks.
  package func run(seconds: Double, most: Int = .max) -> Result {
    let poller = epoll_create1(0)
    defer { close(poller) }
    var sockets = (0..<connections).map { open(at: $0, poller) }
    defer { for socket in sockets { close(socket.descriptor) } }
    var result = Result()
    result.latencies.reserveCapacity(min(most, 4_000_000))
    var events = [epoll_event](repeating: epoll_event(), count: connections)
    var buffer = [UInt8](repeating: 0, count: 512 * 1024)
    var sent = 0
    func sendNext(on index: Int) {
      guard sent < most else { return }
      sockets[index].send(request(sent))
      sent += 1
    }
    let began = Self.nanoseconds(CLOCK_MONOTONIC)
    let end = began + UInt64(seconds * 1e9)
    let (processBefore, threadBefore) = (Self.processTime(), Self.threadTime())
    for index in sockets.indices { sendNext(on: index) }
    var now = began
    while now < end, result.latencies.count < most {
      // It naps instead of waiting: to wake a waiting thread is the work of the server that answers, the more of it the
      // longer the server takes, and would count as its own. There are requests enough under way to keep it busy.
      let count = epoll_wait(poller, &events, Int32(events.count), 0)
      if count == 0 { usleep(50) }
      now = Self.nanoseconds(CLOCK_MONOTONIC)
      for event in events.prefix(Int(count)) {
        let index = Int(event.data.u64)
        switch sockets[index].receive(&buffer) {
        case .incomplete: continue
        case .complete:
          result.latencies.append(UInt32(clamping: now - sockets[index].sentAt))
          sendNext(on: index)
        case .closed:
          close(sockets[index].descriptor)
          let request = sockets[index].request
          sockets[index] = open(at: index, poller)
          sockets[index].send(request)
          result.closed += 1
        }
      }
    }
    result.seconds = Double(now - began) / 1e9
    result.serverSeconds = (Self.processTime() - processBefore) - (Self.threadTime() - threadBefore)
    result.requests = result.latencies.count
    result.latencies.sort()
    return result
  }

  private func open(at index: Int, _ poller: Int32) -> Connection {
    let descriptor = Self.connect(to: port)
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    event.data.u64 = UInt64(index)
    epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event)
    return Connection(descriptor: descriptor)
  }

  private struct Connection {
    enum Progress { case incomplete, complete, closed }

    let descriptor: Int32
    private(set) var request: [UInt8] = []
    private(set) var sentAt: UInt64 = 0
    /// Bytes that are still missing, once the length is known.
    private var missing: Int?

    init(descriptor: Int32) { self.descriptor = descriptor }

    mutating func send(_ request: [UInt8]) {
      self.request = request
      sentAt = LoadGenerator.nanoseconds(CLOCK_MONOTONIC)
      missing = nil
      let count = Glibc.send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
      precondition(count == request.count, "A request could not be sent")
    }

    /// The headers of these servers always come in one piece.
    mutating func receive(_ buffer: inout [UInt8]) -> Progress {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return .closed }
      let length =
        missing ?? buffer.withUnsafeBytes { Self.length(of: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      missing = length - count
      return missing == 0 ? .complete : .incomplete
    }

    /// Of headers and body together.
    private static func length(of bytes: UnsafeRawBufferPointer) -> Int {
      precondition(bytes.starts(with: "HTTP/1.1 200".utf8), "The server has not answered 200")
      let field = Array("Content-Length: ".utf8)
      var bodyCount = 0
      var lineStart = 0
      while let end = bytes[lineStart...].firstIndex(of: 10) {
        if end - lineStart <= 1 { return end + 1 + bodyCount }
        if bytes[lineStart] == field[0], bytes[lineStart..<end].starts(with: field) {
          for digit in bytes[(lineStart + field.count)..<(end - 1)] { bodyCount = bodyCount * 10 + Int(digit) - 48 }
        }
        lineStart = end + 1
      }
      preconditionFailure("The headers came in pieces")
    }
  }

  private static func connect(to port: Int) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    precondition(status == 0, "Cannot connect to the server")
    return descriptor
  }

  private static func processTime() -> Double { Double(nanoseconds(CLOCK_PROCESS_CPUTIME_ID)) / 1e9 }
  private static func threadTime() -> Double { Double(nanoseconds(CLOCK_THREAD_CPUTIME_ID)) / 1e9 }

  private static func nanoseconds(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
