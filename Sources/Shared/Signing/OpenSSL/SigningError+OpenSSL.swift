import COpenSSL

extension SigningError {
  /// Takes the reason from this thread's OpenSSL error queue, and empties the queue.
  init(openSSL operation: String) {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    let reason = code == 0 ? nil : ERR_reason_error_string(code).map { String(cString: $0) }
    self.init(operation: operation, reason: "OpenSSL says \(reason ?? "nothing about the cause").")
  }

  /// Turns OpenSSL's "1 is success" into a throw.
  static func check(_ status: Int32, to operation: @autoclosure () -> String) throws(SigningError) {
    guard status == 1 else { throw SigningError(openSSL: operation()) }
  }
}
