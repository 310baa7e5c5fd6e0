internal import CZeroMQ
package import Foundation
internal import Glibc

extension ZMQSocket {
  /// Sends one message of `frames`, all of them or none, without waiting.
  /// - Returns: false when a queue is full or nobody is there; nothing was sent and the caller may try again later.
  /// - Throws: `hostUnreachable` from a `routerMandatory` router that does not know the peer in the first frame.
  package func send(_ frames: [Data]) throws(ZMQError) -> Bool {
    let pointer = try open(.send)
    guard !frames.isEmpty else { throw ZMQError(.invalid, .send, reason: "a message has at least one frame") }
    defer { touched() }
    let last = frames.count - 1
    for index in 0...last {
      let code = put(frames[index], more: index < last, pointer)
      guard code != 0 else { continue }
      guard code == EAGAIN else { throw ZMQError(ZMQError.Code(rawValue: code), .send, endpoint: endpoint) }
      // The peer left in the middle of a message. libzmq has taken back the frames before, and drops the ones that
      // follow up to the last: it has to see them, or it would drop the start of the next message in their place.
      if index > 0, index < last {
        for rest in (index + 1)...last { _ = put(frames[rest], more: rest < last, pointer) }
      }
      return false
    }
    return true
  }

  /// The next message, whole, without waiting; nil when there is none.
  ///
  /// The reactor receives for the sockets that were added to it.
  /// - Throws: `tooManyFrames` when a message had more than `maximumFrames`; it is gone, the next can be received.
  package func receive() throws(ZMQError) -> [Data]? {
    defer { touched() }
    return try nextMessage()
  }

  /// Begins to receive what is published under topics that start with `topic`.
  package func subscribe(_ topic: Data) throws(ZMQError) {
    try changeSubscription(ZMQ_SUBSCRIBE, .subscribe(topic), .subscribe)
  }

  /// Ends a subscription to exactly this `topic`.
  package func unsubscribe(_ topic: Data) throws(ZMQError) {
    try changeSubscription(ZMQ_UNSUBSCRIBE, .unsubscribe(topic), .unsubscribe)
  }

  private func changeSubscription(
    _ option: Int32, _ change: ZMQSubscriptionChange, _ operation: ZMQError.Operation
  ) throws(ZMQError) {
    let pointer = try open(operation)
    defer { touched() }
    let code =
      switch kind {
      case .sub:
        change.topic.withUnsafeBytes { zmq_setsockopt(pointer, option, $0.baseAddress, $0.count) } == 0
          ? 0 : zmq_errno()
      case .xsub: put(change.frame, more: false, pointer)
      case .router, .dealer, .pub, .xpub, .pair: ENOTSUP
      }
    guard code == 0 else { throw ZMQError(ZMQError.Code(rawValue: code), operation, endpoint: endpoint) }
  }

  /// As `receive`, for the reactor, which keeps account itself of what it has looked at.
  func nextMessage() throws(ZMQError) -> [Data]? {
    let pointer = try open(.receive)
    var frames: [Data] = []
    var count = 0
    repeat {
      guard zmq_msg_recv(scratch, pointer, ZMQ_DONTWAIT) >= 0 else {
        let code = zmq_errno()
        if code == EINTR { continue }
        if code == EAGAIN, count == 0 { return nil }
        throw ZMQError(ZMQError.Code(rawValue: code), .receive, endpoint: endpoint)
      }
      count += 1
      if count == 1 { frames.reserveCapacity(4) }
      if count <= ZMQSocket.maximumFrames, let bytes = zmq_msg_data(scratch) {
        frames.append(Data(bytes: bytes, count: zmq_msg_size(scratch)))
      } else {
        frames = []
      }
    } while count == 0 || zmq_msg_more(scratch) != 0

    guard count <= ZMQSocket.maximumFrames else {
      let peer = zmq_msg_gets(scratch, "Peer-Address").map { String(cString: $0) } ?? "a peer"
      throw ZMQError(
        .tooManyFrames, .receive, endpoint: endpoint,
        reason: "\(peer) sent one of \(count) frames and at most \(ZMQSocket.maximumFrames) are accepted; "
          + "it was dropped")
    }
    return frames
  }

  /// Hands one frame to libzmq, which copies it; 0 or the `errno`.
  private func put(_ frame: Data, more: Bool, _ pointer: UnsafeMutableRawPointer) -> Int32 {
    let flags = ZMQ_DONTWAIT | (more ? ZMQ_SNDMORE : 0)
    while true {
      let sent = frame.withUnsafeBytes { zmq_send(pointer, $0.baseAddress, $0.count, flags) }
      if sent >= 0 { return 0 }
      let code = zmq_errno()
      if code != EINTR { return code }
    }
  }
}
