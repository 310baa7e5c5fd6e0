import CMicroHTTPD
import Glibc

/// Answers that are written to the socket past libmicrohttpd, which can answer before the headers and after the body
/// only. Not for TLS.
enum RawResponse {
  /// Sends a whole response that ends the connection, if the socket takes it; it is smaller than any socket's buffer.
  static func send(_ status: HTTPStatus, to socket: Int32) {
    let reason = MHD_get_reason_phrase_for(UInt32(status.rawValue)).map { String(cString: $0) } ?? ""
    let retry = status == .serviceUnavailable ? "Retry-After: 1\r\n" : ""
    let text = "HTTP/1.1 \(status.rawValue) \(reason)\r\nConnection: close\r\n\(retry)Content-Length: 0\r\n\r\n"
    _ = Array(text.utf8).withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }
}
