import CMicroHTTPD
package import Foundation

/// The limit that the server is compared with: libmicrohttpd's own thread, and a handler that queues the same response
/// again and again.
package final class BareServer {
  private let daemon: OpaquePointer
  private let response: OpaquePointer
  package let port: Int

  package init(body: Data, threads: Int) {
    let response = body.withUnsafeBytes {
      MHD_create_response_from_buffer(
        $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
    }
    guard let response else { fatalError("libmicrohttpd has no memory for a response") }
    MHD_add_response_header(response, "Content-Type", "application/json")
    let daemon = cmicrohttpd_start_bare(
      UInt32(threads),
      { response, connection, _, _, _, _, _, context in
        // The first call brings the headers; the answer is due with the second.
        guard let context, context.pointee != nil else {
          context?.pointee = response
          return .YES
        }
        return MHD_queue_response(connection, 200, OpaquePointer(response))
      }, UnsafeMutableRawPointer(response))
    guard let daemon else { fatalError("libmicrohttpd does not start") }
    self.daemon = daemon
    self.response = response
    port = Int(cmicrohttpd_port(daemon))
  }

  deinit {
    MHD_stop_daemon(daemon)
    MHD_destroy_response(response)
  }
}
