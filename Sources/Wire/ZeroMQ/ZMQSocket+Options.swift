internal import CZeroMQ
internal import Foundation

extension ZMQSocket {
  func apply(_ options: ZMQSocketOptions, to pointer: UnsafeMutableRawPointer) throws(ZMQError) {
    func set(_ option: Int32, _ name: String, _ value: Int) throws(ZMQError) {
      guard var value = Int32(exactly: value) else { throw outOfRange(name, "\(value)") }
      guard zmq_setsockopt(pointer, option, &value, MemoryLayout<Int32>.size) == 0 else {
        throw outOfRange(name, "\(value)")
      }
    }
    func set(_ option: Int32, _ name: String, milliseconds duration: Duration) throws(ZMQError) {
      try set(option, name, duration.milliseconds)
    }

    try set(ZMQ_SNDHWM, "sendHighWaterMark", options.sendHighWaterMark)
    try set(ZMQ_RCVHWM, "receiveHighWaterMark", options.receiveHighWaterMark)
    try set(ZMQ_LINGER, "linger", milliseconds: options.linger)
    if let bytes = options.routingID {
      let code = bytes.withUnsafeBytes { zmq_setsockopt(pointer, ZMQ_ROUTING_ID, $0.baseAddress, $0.count) }
      guard code == 0 else {
        throw outOfRange("routingID", "of \(bytes.count) bytes (expected 1 to 255, the first not 0)")
      }
    }
    if let size = options.maxMessageSize {
      var bytes = Int64(size)
      guard zmq_setsockopt(pointer, ZMQ_MAXMSGSIZE, &bytes, MemoryLayout<Int64>.size) == 0 else {
        throw outOfRange("maxMessageSize", "\(size)")
      }
    }
    if options.xpubVerbose { try set(ZMQ_XPUB_VERBOSE, "xpubVerbose", 1) }
    if options.routerMandatory { try set(ZMQ_ROUTER_MANDATORY, "routerMandatory", 1) }
    if let heartbeat = options.heartbeat {
      try set(ZMQ_HEARTBEAT_IVL, "heartbeat.interval", milliseconds: heartbeat.interval)
      try set(ZMQ_HEARTBEAT_TIMEOUT, "heartbeat.timeout", milliseconds: heartbeat.timeout)
      try set(ZMQ_HEARTBEAT_TTL, "heartbeat.timeToLive", milliseconds: heartbeat.timeToLive)
    }
    if let reconnect = options.reconnect {
      try set(ZMQ_RECONNECT_IVL, "reconnect.interval", milliseconds: reconnect.interval)
      try set(ZMQ_RECONNECT_IVL_MAX, "reconnect.maximum", milliseconds: reconnect.maximum)
    }
    if let timeout = options.connectTimeout {
      try set(ZMQ_CONNECT_TIMEOUT, "connectTimeout", milliseconds: timeout)
    }
    if let interval = options.handshakeInterval {
      try set(ZMQ_HANDSHAKE_IVL, "handshakeInterval", milliseconds: interval)
    }
    if options.immediate { try set(ZMQ_IMMEDIATE, "immediate", 1) }
    if let keepalive = options.tcpKeepalive {
      try set(ZMQ_TCP_KEEPALIVE, "tcpKeepalive", 1)
      try set(ZMQ_TCP_KEEPALIVE_IDLE, "tcpKeepalive.idle", keepalive.idle.milliseconds / 1000)
      try set(ZMQ_TCP_KEEPALIVE_INTVL, "tcpKeepalive.interval", keepalive.interval.milliseconds / 1000)
      try set(ZMQ_TCP_KEEPALIVE_CNT, "tcpKeepalive.probes", keepalive.probes)
    }
    if let backlog = options.backlog { try set(ZMQ_BACKLOG, "backlog", backlog) }
  }

  private func outOfRange(_ name: String, _ value: String) -> ZMQError {
    ZMQError(.invalid, .setOption, reason: "a \(kind) socket does not take \(name) \(value)")
  }
}

extension Duration {
  /// Whole milliseconds, rounded up, so that a wait is never too short. Beyond 292 million years it is as much.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    let (whole, overflow) = Int(seconds).multipliedReportingOverflow(by: 1000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let part = Int(attoseconds / 1_000_000_000_000_000) + (attoseconds % 1_000_000_000_000_000 > 0 ? 1 : 0)
    let (sum, carried) = whole.addingReportingOverflow(part)
    return carried ? (seconds < 0 ? .min : .max) : sum
  }
}
