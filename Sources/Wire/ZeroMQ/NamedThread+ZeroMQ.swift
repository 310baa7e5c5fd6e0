import Threads

extension NamedThread {
  /// Starts `body` on a detached thread of this name.
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(ZMQError) {
    let code = start(named: name, body)
    guard code == 0 else {
      throw ZMQError(ZMQError.Code(rawValue: code), .startReactor, reason: "the system has no thread for it")
    }
  }
}
