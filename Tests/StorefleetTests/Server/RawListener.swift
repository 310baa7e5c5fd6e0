import Foundation
import Glibc

/// A socket that reads a request and answers with whatever it was given, once.
final class RawListener: Sendable {
  let port: Int

  struct Failure: Error {}

  init(answer: String) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard listener >= 0 else { throw Failure() }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 1) == 0 && getsockname(listener, address, &length) == 0
      }
    }
    guard bound else {
      close(listener)
      throw Failure()
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    // Blocking calls stay off the threads of Swift's tasks.
    Thread.detachNewThread {
      let connection = accept(listener, nil, nil)
      var request = Data()
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while !request.contains(UInt8(ascii: "}")) {
        let count = read(connection, &buffer, buffer.count)
        guard count > 0 else { break }
        request.append(contentsOf: buffer[0..<count])
      }
      _ = Array(answer.utf8).withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
      close(connection)
      close(listener)
    }
  }
}
