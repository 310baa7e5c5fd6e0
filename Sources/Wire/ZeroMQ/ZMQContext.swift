internal import CZeroMQ
internal import Dispatch
internal import Glibc
internal import Synchronization
internal import Threads

/// libzmq's I/O threads and the sockets on them; one a process is enough, tests may have many.
///
/// Every socket keeps its context alive.
package final class ZMQContext: Sendable {
  private struct State {
    /// Nil once termination has begun: libzmq then frees it.
    var pointer: UnsafeMutableRawPointer?
    var openSockets = 0
  }

  private let state: Mutex<State>
  private let ioThreads: Int
  private let maximumSockets: Int
  /// Left when libzmq has freed the context.
  private let freed = DispatchGroup()

  /// - Parameters:
  ///   - ioThreads: libzmq's rule is one for each gigabyte a second.
  ///   - maximumSockets: how many may be open at once, monitors included. The process's soft limit of open files is
  ///     raised to fit them and one connection each.
  /// - Throws: `tooManyOpenFiles` when the hard limit does not allow that many sockets.
  package init(ioThreads: Int = 1, maximumSockets: Int = 256) throws(ZMQError) {
    precondition(ioThreads > 0 && maximumSockets > 0)
    self.ioThreads = ioThreads
    self.maximumSockets = maximumSockets
    try DescriptorLimit.raise(to: 2 * maximumSockets + ZMQContext.headroom(ioThreads))
    guard let pointer = zmq_ctx_new() else { throw .last(.openContext) }
    // Closing is asynchronous, so libzmq may briefly count more sockets than are open here.
    let slots = Int(zmq_ctx_get(pointer, ZMQ_SOCKET_LIMIT))
    guard maximumSockets + ZMQContext.closingSockets <= slots,
      zmq_ctx_set(pointer, ZMQ_MAX_SOCKETS, Int32(maximumSockets + ZMQContext.closingSockets)) == 0,
      zmq_ctx_set(pointer, ZMQ_IO_THREADS, Int32(ioThreads)) == 0,
      // A socket without a linger of its own must not hold up the end of the process.
      zmq_ctx_set(pointer, ZMQ_BLOCKY, 0) == 0
    else {
      zmq_ctx_term(pointer)
      throw ZMQError(
        .invalid, .openContext,
        reason: "libzmq allows \(slots - ZMQContext.closingSockets) sockets a context, not \(maximumSockets)")
    }
    state = Mutex(State(pointer: pointer))
    freed.enter()
  }

  deinit {
    // No socket is open any more, but closed ones may linger: that is no reason to block here.
    guard let address = beginTermination() else { return }
    do {
      try NamedThread.start("zmq-terminate") { ZMQContext.free(address) }
    } catch {
      ZMQContext.free(address)
    }
    freed.leave()
  }

  /// Waits until all sockets are closed and have handed over or given up what they had to send, at most `limit`.
  ///
  /// Stop the reactors first: a socket that is still open holds this up, and its calls throw `terminated` from now on.
  /// Blocks its thread; in asynchronous code the other form is used.
  /// - Returns: false when `limit` passed; what was not sent by then is lost if the process ends.
  package func terminate(within limit: Duration = .seconds(5)) -> Bool {
    if let address = beginTermination() {
      let freed = freed
      do {
        try NamedThread.start("zmq-terminate") {
          ZMQContext.free(address)
          freed.leave()
        }
      } catch {
        state.withLock { $0.pointer = UnsafeMutableRawPointer(bitPattern: address) }
        return false
      }
    }
    let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) / 1e18
    return freed.wait(timeout: .now() + seconds) == .success
  }

  /// As the other form, without blocking a thread of the cooperative pool.
  package func terminate(within limit: Duration = .seconds(5)) async -> Bool {
    await withCheckedContinuation { continuation in
      do {
        try NamedThread.start("zmq-terminate") { continuation.resume(returning: self.terminate(within: limit)) }
      } catch {
        continuation.resume(returning: false)
      }
    }
  }

  /// A new socket of libzmq; every one must be given back to `closeSocket`.
  func openSocket(_ kind: ZMQSocketKind) throws(ZMQError) -> UnsafeMutableRawPointer {
    // Pointers cross the lock as numbers: they belong to the caller, not to the lock.
    let address = try state.withLock { state throws(ZMQError) -> UInt in
      guard let pointer = state.pointer else { throw ZMQError(.terminated, .openSocket) }
      guard state.openSockets < maximumSockets else {
        throw ZMQError(
          .tooManyOpenFiles, .openSocket,
          reason: "all \(maximumSockets) sockets of this context are in use; close some, or open it with more")
      }
      guard DescriptorLimit.hasRoom(for: ZMQContext.headroom(ioThreads)) else {
        throw ZMQError(.tooManyOpenFiles, .openSocket)
      }
      guard let socket = zmq_socket(pointer, kind.rawValue) else { throw .last(.openSocket) }
      state.openSockets += 1
      return UInt(bitPattern: socket)
    }
    guard let socket = UnsafeMutableRawPointer(bitPattern: address) else { throw ZMQError(.closed, .openSocket) }
    return socket
  }

  func closeSocket(_ socket: UnsafeMutableRawPointer) {
    zmq_close(socket)
    state.withLock { $0.openSockets -= 1 }
  }

  /// The context's address for the one caller that is to free it; nil for all others.
  private func beginTermination() -> UInt? {
    state.withLock { state in
      defer { state.pointer = nil }
      return state.pointer.map { UInt(bitPattern: $0) }
    }
  }

  private static func free(_ address: UInt) {
    while zmq_ctx_term(UnsafeMutableRawPointer(bitPattern: address)) != 0, zmq_errno() == EINTR {}
  }

  /// Descriptors that libzmq may want when it opens a socket: two for each of its threads, and a few for the socket.
  private static func headroom(_ ioThreads: Int) -> Int { 2 * ioThreads + 8 }

  private static let closingSockets = 256
}
