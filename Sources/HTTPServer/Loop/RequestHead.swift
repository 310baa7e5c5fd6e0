import CMicroHTTPD
import Foundation

/// The headers of a request, and what they say about its body.
struct RequestHead {
  private(set) var headers = HTTPHeaders(reserving: 8)
  private(set) var contentLength: Int?
  /// Whether readers could disagree about where the body ends (RFC 9112 §6.3).
  private(set) var isAmbiguous = false
  private(set) var expectsContinue = false
  private var isChunked = false

  init(_ handle: OpaquePointer) {
    withUnsafeMutablePointer(to: &self) { head in
      _ = MHD_get_connection_values_n(
        handle, .HEADER_KIND,
        { head, _, name, nameCount, value, valueCount in
          head?.assumingMemoryBound(to: RequestHead.self).pointee.add(
            UnsafeRawBufferPointer(start: name, count: nameCount),
            UnsafeRawBufferPointer(start: value, count: valueCount))
          return .YES
        }, head)
    }
    if contentLength != nil, isChunked { isAmbiguous = true }
  }

  private mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    let field = (name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self))
    headers.add(field.name, field.value)
    switch field.name.utf8.count {
    case 6 where HTTPHeaders.areEqual(field.name, "Expect"):
      expectsContinue = field.value.lowercased() == "100-continue"
    case 14 where HTTPHeaders.areEqual(field.name, "Content-Length"):
      // Twice the same length is allowed to be taken for one; we are strict, as nothing sends that on purpose.
      isAmbiguous = isAmbiguous || contentLength != nil
      // A number that is too large for us is too large for every limit.
      let isNumber = !field.value.isEmpty && field.value.utf8.allSatisfy { (48...57).contains($0) }
      contentLength = isNumber ? Int(field.value) ?? .max : -1
      isAmbiguous = isAmbiguous || !isNumber
    case 17 where HTTPHeaders.areEqual(field.name, "Transfer-Encoding"):
      isAmbiguous = isAmbiguous || isChunked || field.value.lowercased() != "chunked"
      isChunked = true
    default: break
    }
  }
}
