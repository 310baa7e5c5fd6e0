internal import CZeroMQ
internal import Synchronization

/// Tells what happens to the connections of one socket, on the socket's reactor.
///
/// Start it before the socket binds or connects, so that no event is missed. It ends with its socket.
package final class ZMQMonitor {
  private static let count = Atomic<UInt64>(0)

  private unowned let socket: ZMQSocket
  private let events: ZMQSocket

  /// A socket has one monitor; a new one takes the place of the old.
  @discardableResult
  package init(_ socket: ZMQSocket, handler: @escaping (ZMQMonitorEvent) -> Void) throws(ZMQError) {
    let pointer = try socket.open(.monitor)
    socket.monitor?.stop()
    // Unbounded on purpose: libzmq's I/O thread would wait, and with it all traffic, if this queue were full.
    let options = ZMQSocketOptions(sendHighWaterMark: 0, receiveHighWaterMark: 0)
    let events = try ZMQSocket(.pair, options: options, context: socket.context, reactor: socket.reactor)
    let number = ZMQMonitor.count.wrappingAdd(1, ordering: .relaxed).newValue
    let endpoint = "inproc://storefleet-monitor-\(number)"
    guard zmq_socket_monitor(pointer, endpoint, ZMQ_EVENT_ALL & ~ZMQ_EVENT_MONITOR_STOPPED) == 0 else {
      let error = ZMQError.last(.monitor)
      events.close()
      throw error
    }
    self.socket = socket
    self.events = events
    socket.monitor = self
    do {
      try events.connect(endpoint)
      try socket.reactor.add(events) { _, message in
        guard case .success(let frames) = message, let event = ZMQMonitorEvent(frames) else { return }
        handler(event)
      }
    } catch {
      stop()
      throw error
    }
  }

  /// No event is delivered after this.
  package func stop() {
    guard socket.monitor === self, let pointer = try? socket.open(.monitor) else { return }
    socket.monitor = nil
    // libzmq first: it would wait for ever to hand an event to a reader that has gone.
    zmq_socket_monitor(pointer, nil, 0)
    events.close()
  }
}
