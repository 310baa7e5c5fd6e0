import CMicroHTTPD
import Glibc

/// The daemon and its callbacks. All are called from within `MHD_run`, `MHD_add_connection` and `MHD_stop_daemon`, so on
/// the loop's thread.
extension HTTPLoop {
  func startDaemon(tls: HTTPTLSIdentity?) throws(HTTPServerError) -> OpaquePointer {
    var options = cmicrohttpd_options()
    options.target = { _, uri, handle in
      guard let uri, let connection = HTTPConnection.from(handle) else { return nil }
      connection.requestBegan(target: uri)
      return Unmanaged.passUnretained(connection).toOpaque()
    }
    options.access = { _, handle, _, method, version, data, count, context in
      guard let count, let connection = HTTPConnection.from(context?.pointee) else { return .NO }
      return connection.access(method: method, version: version, data: data, count: &count.pointee)
    }
    options.completed = { _, _, context, code in
      HTTPConnection.from(context?.pointee)?.requestEnded(isComplete: code.rawValue == 0)
    }
    options.connection = { loop, handle, context, code in
      guard let loop, let handle, let context else { return }
      if code.rawValue == 0 {
        let loop = Unmanaged<HTTPLoop>.fromOpaque(loop).takeUnretainedValue()
        context.pointee = Unmanaged.passRetained(HTTPConnection(handle, loop: loop)).toOpaque()
      } else if let pointer = context.pointee {
        Unmanaged<HTTPConnection>.fromOpaque(pointer).takeRetainedValue().closed()
        context.pointee = nil
      }
    }
    // The target is decoded by us: strictly, and part by part.
    options.unescape = { _, _, text in text.map { strlen($0) } ?? 0 }
    let limits = state.limits
    // Room for the headers as bytes, for the list of them, and for those of the response. No more than needed: all of
    // it is filled with zeros after every request.
    options.connection_memory = 2 * limits.headerBytes
    // The limit is kept where connections are accepted; this one must only not be lower.
    options.connection_limit = UInt32(clamping: limits.connections + 64)
    // The library counts whatever a connection does or does not do. Between requests our own limit counts, so this one
    // must not come first.
    let stall = max(limits.stallTimeout, limits.idleTimeout + .seconds(2))
    options.stall_timeout = UInt32(clamping: stall.components.seconds)

    let loop = Unmanaged.passUnretained(self).toOpaque()
    let daemon: OpaquePointer?
    if let tls {
      daemon = tls.privateKey.withCString { key in
        tls.certificateChain.withCString { certificate in
          options.key = key
          options.certificate = certificate
          return cmicrohttpd_start(&options, loop)
        }
      }
    } else {
      daemon = cmicrohttpd_start(&options, loop)
    }
    guard let daemon else {
      let hint = tls == nil ? "" : " Check that certificate and key are PEM, belong together and need no password."
      throw HTTPServerError(operation: "start an HTTP server", reason: "libmicrohttpd refused to start.\(hint)")
    }
    return daemon
  }
}
