import CLinux
import Foundation
import Glibc

/// Keep-alive connections from one thread, each with one request under way: as soon as a response is complete, the next
/// request goes out.
struct LoadGenerator {
  struct Result {
    var requests = 0
    var seconds = 0.0
    /// Connections that the server closed, and that were opened anew.
    var closed = 0
    /// Of each request, in nanoseconds, sorted.
    var latencies: [UInt32] = []

    var rate: Double { Double(requests) / seconds }

    func milliseconds(percentile: Double) -> Double {
      let index = min(Int(Double(latencies.count) * percentile), latencies.count - 1)
      return latencies.isEmpty ? 0 : Double(latencies[index]) / 1e6
    }
  }

  let port: Int
  let connections: Int
  /// How many requests share a token.
  static let requestsPerToken = 100
  /// The path of the n-th request.
  let path: (Int) -> String
  /// Taken in turn.
  let tokens: [String]

  /// Asks for `seconds`, or until `most` requests were answered.
  func run(seconds: Double, most: Int = .max) -> Result {
    let poller = epoll_create1(0)
    defer { close(poller) }
    var sockets: [Connection] = []
    for index in 0..<connections {
      let descriptor = Self.connect(to: port)
      var event = epoll_event()
      event.events = EPOLLIN.rawValue
      event.data.u64 = UInt64(index)
      epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event)
      sockets.append(Connection(descriptor: descriptor))
    }
    defer { for socket in sockets { close(socket.descriptor) } }
    var result = Result()
    result.latencies.reserveCapacity(2_000_000)
    var sent = 0
    var tails = tokens.map {
      Array(" HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \($0)\r\nAccept: application/json\r\n\r\n".utf8)
    }
    if tails.isEmpty { tails = [Array(" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)] }
    func next() -> [UInt8] {
      let request = Array("GET \(path(sent))".utf8) + tails[sent / Self.requestsPerToken % tails.count]
      sent += 1
      return request
    }
    var events = [epoll_event](repeating: epoll_event(), count: connections)
    var buffer = [UInt8](repeating: 0, count: 512 * 1024)
    let began = Self.now()
    let end = began + UInt64(seconds * 1e9)
    for index in sockets.indices where sent < most { sockets[index].send(next()) }
    var now = began
    while now < end, result.latencies.count < most {
      // It naps instead of waiting: to wake a waiting thread would count as work of the server that answers.
      let count = epoll_wait(poller, &events, Int32(events.count), 0)
      if count == 0 { usleep(50) }
      now = Self.now()
      for event in events.prefix(Int(count)) {
        let index = Int(event.data.u64)
        let isComplete = sockets[index].receive(&buffer)
        if sockets[index].isClosed {
          close(sockets[index].descriptor)
          sockets[index] = Connection(descriptor: Self.connect(to: port))
          var event = epoll_event()
          event.events = EPOLLIN.rawValue
          event.data.u64 = UInt64(index)
          epoll_ctl(poller, EPOLL_CTL_ADD, sockets[index].descriptor, &event)
          sockets[index].send(next())
          result.closed += 1
        }
        guard isComplete else { continue }
        result.latencies.append(UInt32(clamping: now - sockets[index].sentAt))
        if sent < most { sockets[index].send(next()) }
      }
    }
    result.seconds = Double(now - began) / 1e9
    result.requests = result.latencies.count
    result.latencies.sort()
    return result
  }

  private struct Connection {
    let descriptor: Int32
    /// Whether the server has closed it.
    var isClosed = false
    var sentAt: UInt64 = 0
    /// Bytes that are still missing, once the length is known.
    var missing: Int?

    init(descriptor: Int32) { self.descriptor = descriptor }

    mutating func send(_ request: [UInt8]) {
      sentAt = LoadGenerator.now()
      missing = nil
      let count = Glibc.send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
      precondition(count == request.count, "A request could not be sent")
    }

    /// Whether the response is complete. The headers of this server always come in one piece.
    mutating func receive(_ buffer: inout [UInt8]) -> Bool {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else {
        isClosed = true
        return false
      }
      if let missing {
        self.missing = missing - count
      } else {
        let length = buffer.withUnsafeBytes { Self.length(of: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        self.missing = length - count
      }
      return missing == 0
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

  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
