import CCurl
import Foundation

/// A request that libcurl has in hand. Used on the loop's thread alone.
final class Transfer {
  let request: TransferRequest
  let easy: UnsafeMutableRawPointer
  private let list: UnsafeMutablePointer<curl_slist>?
  private let errorText: UnsafeMutablePointer<CChar>
  private let bodyBytes: UnsafeMutableRawBufferPointer
  private let limit: Int
  private var received = Data()
  private var isTooLarge = false

  /// - Parameter easy: A fresh handle, or one that was used and reset; it stays its owner's.
  init(_ request: TransferRequest, easy: UnsafeMutableRawPointer, configuration: HTTPClientConfiguration) {
    self.request = request
    self.easy = easy
    limit = configuration.responseBytes
    list = request.headers.reduce(nil) { curl_slist_append($0, $1) ?? $0 }
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    bodyBytes = .allocate(byteCount: request.body.count, alignment: 1)
    request.body.copyBytes(to: bodyBytes)
    configure(configuration)
  }

  deinit {
    curl_slist_free_all(list)
    errorText.deallocate()
    bodyBytes.deallocate()
  }

  /// The options that can fail are checked at their use: a URL that is none ends the transfer with an error.
  private func configure(_ configuration: HTTPClientConfiguration) {
    _ = request.url.withCString { ccurl_set_pointer(easy, CURLOPT_URL, $0) }
    ccurl_allow_http_only(easy)
    ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, list)
    ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
    ccurl_set_long(easy, CURLOPT_POST, 1)
    ccurl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bodyBytes.count))
    // Not copied by libcurl: the bytes live as long as this object, even an empty body's.
    if let start = bodyBytes.baseAddress { ccurl_set_pointer(easy, CURLOPT_POSTFIELDS, start) }
    // Signals for timeouts would hit any thread of the process.
    ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    ccurl_set_long(easy, CURLOPT_TIMEOUT_MS, Self.milliseconds(request.timeout ?? configuration.timeout))
    ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(configuration.connectTimeout))
    if let trusted = request.trustedCertificates ?? configuration.trustedCertificates {
      _ = trusted.withUnsafeBytes { ccurl_trust(easy, $0.baseAddress, $0.count) }
    }
    ccurl_set_writer(
      easy,
      { bytes, _, count, transfer in
        guard let transfer else { return 0 }
        return Unmanaged<Transfer>.fromOpaque(transfer).takeUnretainedValue()
          .receive(UnsafeRawBufferPointer(start: bytes, count: count))
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Another number than that of the bytes ends the transfer.
  private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard received.count + bytes.count <= limit else {
      isTooLarge = true
      return bytes.count == 0 ? 1 : 0
    }
    received.append(contentsOf: bytes)
    return bytes.count
  }

  /// What the transfer ended with.
  func result(_ code: CURLcode) -> Result<HTTPClientResponse, HTTPClientError> {
    guard code != CURLE_OK else {
      return .success(
        HTTPClientResponse(
          status: Int(ccurl_status(easy)), body: received,
          contentType: ccurl_content_type(easy).map { String(cString: $0) },
          redirect: ccurl_redirect(easy).map { String(cString: $0) }))
    }
    if isTooLarge { return .failure(failure(.responseTooLarge, "The answer has more than \(limit) bytes.")) }
    let detail = String(cString: errorText)
    let reason = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
    return .failure(failure(Self.code(code, hasBegun: ccurl_has_sent(easy)), reason))
  }

  func failure(_ code: HTTPClientError.Code, _ reason: String) -> HTTPClientError {
    HTTPClientError(code: code, url: request.url, reason: reason)
  }

  /// - Parameter hasBegun: whether the request was sent: what is not understood then is the answer.
  private static func code(_ code: CURLcode, hasBegun: Bool) -> HTTPClientError.Code {
    switch code {
    case CURLE_UNSUPPORTED_PROTOCOL where hasBegun, CURLE_WEIRD_SERVER_REPLY: .badAnswer
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT: .badAddress
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT: .noConnection
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE: .untrusted
    case CURLE_SSL_CONNECT_ERROR: .noTLS
    case CURLE_GOT_NOTHING: .noAnswer
    case CURLE_PARTIAL_FILE: .answerCut
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR: .connectionLost
    default: .other
    }
  }

  private static func milliseconds(_ duration: Duration) -> Int {
    let milliseconds = duration / .milliseconds(1)
    // 0 would mean no limit to libcurl.
    return milliseconds >= 2_147_483_647 ? 2_147_483_647 : max(Int(milliseconds), 1)
  }
}
