import CMicroHTTPD
package import Foundation

/// A body that is answered again and again: handed to libmicrohttpd once, with its type, and shared by all connections
/// that send it.
///
///     let kept = KeptBody(data, contentType: "application/json")
///     return HTTPResponse(body: .kept(kept))
///
/// Sendable by `@unchecked`: nothing changes after `init`, and libmicrohttpd counts references under a lock.
package final class KeptBody: @unchecked Sendable {
  package let contentType: String
  private let bytes: Bytes
  /// Nil if libmicrohttpd has no memory for it, or cannot send this type.
  let response: OpaquePointer?

  package init(_ data: Data, contentType: String) {
    self.contentType = contentType
    let bytes = Bytes(data)
    self.bytes = bytes
    let owner = Unmanaged.passRetained(bytes)
    let response = MHD_create_response_from_buffer_with_free_callback_cls(
      bytes.buffer.count, bytes.buffer.baseAddress,
      { owner in
        if let owner { Unmanaged<Bytes>.fromOpaque(owner).release() }
      }, owner.toOpaque())
    if response == nil { owner.release() }
    guard MHD_add_response_header(response, "Content-Type", contentType) == .YES else {
      MHD_destroy_response(response)
      self.response = nil
      return
    }
    self.response = response
  }

  deinit { MHD_destroy_response(response) }

  /// The body, without a copy.
  package var data: Data {
    let bytes = bytes
    guard let start = bytes.buffer.baseAddress else { return Data() }
    return Data(
      bytesNoCopy: start, count: bytes.buffer.count, deallocator: .custom { _, _ in withExtendedLifetime(bytes) {} })
  }

  /// Memory that stays where it is.
  private final class Bytes: @unchecked Sendable {
    let buffer: UnsafeMutableRawBufferPointer

    init(_ data: Data) {
      buffer = .allocate(byteCount: data.count, alignment: 1)
      data.copyBytes(to: buffer)
    }

    deinit { buffer.deallocate() }
  }
}
