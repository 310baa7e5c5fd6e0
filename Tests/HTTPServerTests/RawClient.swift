import Foundation
import Glibc

/// A plain TCP connection: what it sends is what a test wants to send, well-formed or not. Its blocking calls are made
/// on threads of their own.
final class RawClient: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let descriptor: Int32

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    // A test that waits for what never comes fails with what it has, instead of hanging.
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw Failure(description: "no connection: \(String(cString: strerror(errno)))") }
  }

  deinit { close(descriptor) }

  /// Sends all of it, or as much as the server takes before it closes.
  @discardableResult
  func send(_ bytes: some Sequence<UInt8> & Sendable) async -> Bool {
    let bytes = Array(bytes)
    let descriptor = descriptor
    return await onThread {
      var sent = 0
      while sent < bytes.count {
        let count = bytes.withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }

  @discardableResult
  func send(_ text: String) async -> Bool { await send(Array(text.utf8)) }

  /// Says that nothing more will be sent, and goes on reading.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// What the server sends until it closes the connection.
  func readToEnd() async -> String { String(decoding: await read { _, _ in false }, as: UTF8.self) }

  /// What the server sends until the text has come, or it closes.
  func read(until text: String) async -> String { String(decoding: await readBytes(until: text), as: UTF8.self) }

  /// As the other form, for bodies that are large.
  func readBytes(until text: String) async -> [UInt8] {
    let text = Array(text.utf8)
    return await read { bytes, new in
      // The text may have begun in what came before.
      bytes.suffix(new + text.count).firstRange(of: text) != nil
    }
  }

  /// One response with a Content-Length.
  func readResponse() async -> String {
    let bytes = await read { bytes, _ in
      guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return false }
      let length =
        String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        .first { $0.lowercased().hasPrefix("content-length: ") }
        .flatMap { Int($0.dropFirst(16)) } ?? 0
      return bytes.count - end.upperBound >= length
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Parameter isEnough: Gets what has come so far, and how many bytes of it are new.
  private func read(until isEnough: @escaping @Sendable ([UInt8], Int) -> Bool) async -> [UInt8] {
    let descriptor = descriptor
    return await onThread {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        bytes += buffer[..<count]
        if isEnough(bytes, count) { break }
      }
      return bytes
    }
  }

  private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }
}
