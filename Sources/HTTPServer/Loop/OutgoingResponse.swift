import CMicroHTTPD
import Foundation

/// A response in libmicrohttpd's hands; our reference to it, if it was made for this answer, ends with this value.
struct OutgoingResponse: ~Copyable {
  let pointer: OpaquePointer
  let stream: HTTPBodyStream?
  /// Whose response it is, where many share one.
  private let kept: KeptBody?

  private init(pointer: OpaquePointer, stream: HTTPBodyStream? = nil, kept: KeptBody? = nil) {
    self.pointer = pointer
    self.stream = stream
    self.kept = kept
  }

  /// Gives nothing if a header cannot be sent.
  static func make(_ response: HTTPResponse, closes: Bool, connection: HTTPConnection) -> OutgoingResponse? {
    var stream: HTTPBodyStream?
    var fields = response.headers.fields
    let pointer: OpaquePointer?
    switch response.body {
    case .data(let data):
      pointer = create(data)
    case .kept(let kept):
      if !closes, fields.isEmpty, let shared = kept.response { return OutgoingResponse(pointer: shared, kept: kept) }
      pointer = create(kept.data)
      fields.insert((name: "Content-Type", value: kept.contentType), at: 0)
    case .stream:
      let body = HTTPBodyStream(capacity: connection.loop.state.limits.streamBufferBytes) {
        connection.loop.perform { connection.resume() }
      }
      pointer = create(body, connection)
      stream = body
    }
    guard let pointer else { return nil }
    var isComplete = fields.allSatisfy {
      MHD_add_response_header(pointer, $0.name, $0.value) == .YES
    }
    if closes, MHD_add_response_header(pointer, "Connection", "close") != .YES { isComplete = false }
    guard isComplete else {
      MHD_destroy_response(pointer)
      return nil
    }
    return OutgoingResponse(pointer: pointer, stream: stream)
  }

  deinit { if kept == nil { MHD_destroy_response(pointer) } }

  private static func create(_ data: Data) -> OpaquePointer? {
    data.withUnsafeBytes { bytes in
      MHD_create_response_from_buffer(
        bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
    }
  }

  private static func create(_ stream: HTTPBodyStream, _ connection: HTTPConnection) -> OpaquePointer? {
    let source = Unmanaged.passRetained(StreamSource(stream: stream, connection: connection))
    let response = MHD_create_response_from_callback(
      .max, 32 * 1024,
      { source, _, buffer, count in
        guard let source, let buffer else { return -2 }
        let stream = Unmanaged<StreamSource>.fromOpaque(source).takeUnretainedValue()
        return stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
      }, source.toOpaque(),
      { source in
        if let source { Unmanaged<StreamSource>.fromOpaque(source).release() }
      })
    if response == nil { source.release() }
    return response
  }

  /// What libmicrohttpd holds while it sends a stream.
  private final class StreamSource {
    private let stream: HTTPBodyStream
    private let connection: HTTPConnection

    init(stream: HTTPBodyStream, connection: HTTPConnection) {
      self.stream = stream
      self.connection = connection
    }

    /// The number of bytes, or libmicrohttpd's codes for the end (-1) and for a failure (-2).
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
      switch stream.read(into: buffer) {
      case .bytes(let count): return count
      case .ended: return -1
      case .failed: return -2
      case .parked:
        return connection.park() ? 0 : -2
      }
    }
  }
}
