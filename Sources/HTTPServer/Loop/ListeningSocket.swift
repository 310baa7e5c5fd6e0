import CLinux
import Glibc

/// A socket that listens; closed when this goes.
struct ListeningSocket: ~Copyable {
  let descriptor: Int32
  let port: Int

  /// Binds to the first address of the host that can be bound to.
  ///
  /// - Parameter port: 0 lets the system pick one.
  init(host: String, port: Int) throws(HTTPServerError) {
    let operation = "listen for HTTP on \(host.contains(":") ? "[\(host)]" : host):\(port)"
    guard (0...65_535).contains(port) else {
      throw HTTPServerError(operation: operation, reason: "a port is a number from 0 to 65535. Choose another.")
    }
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    guard code == 0 else {
      let reason = String(cString: gai_strerror(code))
      throw HTTPServerError(operation: operation, reason: "\(reason). Give an address of this machine.")
    }
    defer { freeaddrinfo(list) }

    var failure: Int32 = EADDRNOTAVAIL
    var next = list
    while let address = next?.pointee {
      next = address.ai_next
      do {
        self = try Self.bind(address)
        return
      } catch { failure = error.code }
    }
    let remedy = failure == EADDRINUSE ? "Stop what uses it, or choose another port" : "Give an address of this machine"
    throw HTTPServerError(operation: operation, reason: "\(String(cString: strerror(failure))). \(remedy).")
  }

  private struct SystemError: Error { let code: Int32 }

  private static func bind(_ address: addrinfo) throws(SystemError) -> ListeningSocket {
    let type = address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(address.ai_family, type, address.ai_protocol)
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    var yes: Int32 = 1
    // A server that was restarted need not wait for the connections of the one before.
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var bound = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isListening = withUnsafeMutablePointer(to: &bound) { bound in
      bound.withMemoryRebound(to: sockaddr.self, capacity: 1) { bound in
        Glibc.bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 && listen(descriptor, 4096) == 0
          && getsockname(descriptor, bound, &length) == 0
      }
    }
    guard isListening else {
      let code = errno
      close(descriptor)
      throw SystemError(code: code)
    }
    return ListeningSocket(descriptor: descriptor, port: Self.port(of: bound))
  }

  private static func port(of address: sockaddr_storage) -> Int {
    withUnsafeBytes(of: address) { bytes in
      // IPv4 and IPv6 addresses have it at the same place.
      Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
    }
  }

  private init(descriptor: Int32, port: Int) {
    self.descriptor = descriptor
    self.port = port
  }

  /// For the one who closes it.
  consuming func take() -> Int32 {
    let descriptor = descriptor
    discard self
    return descriptor
  }

  deinit { close(descriptor) }
}
