internal import CZeroMQ
internal import Glibc

/// What a reactor waits for: sockets, file descriptors, and its own wake-up. Used on the reactor's thread alone.
///
/// A socket's wake-up descriptor tells that something happened since the socket was last used, not that a message
/// waits, and any call into the socket may consume it. So a socket that was touched is *pending*, the poller never
/// sleeps while one is, and a socket stops being pending only when it was found empty. The cost of a turn then depends
/// on the sockets that have something to do, not on how many there are.
final class ReactorPoller {
  /// Messages that one socket may deliver before jobs, timers and other sockets have their turn.
  static let messagesPerTurn = 64
  private static let eventsPerTurn = 64

  private enum Source {
    case wake
    case socket(ZMQSocket)
    case descriptor(() -> Void)
  }

  private let epoll: Int32
  /// Writing to it ends a wait; the one thing here that other threads use.
  let wakeDescriptor: Int32
  private let events: UnsafeMutablePointer<epoll_event>
  private var sources: [UInt64: Source] = [:]
  private var watched: [Int32: UInt64] = [:]
  private var lastKey: UInt64 = 0
  /// All open sockets of the reactor, whether it receives from them or not.
  private var open: [ObjectIdentifier: ZMQSocket] = [:]
  private var pending: [ZMQSocket] = []
  private var serving: [ZMQSocket] = []
  private(set) var isClosed = false

  init() throws(ZMQError) {
    let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard epoll >= 0 else { throw .last(.startReactor) }
    let wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard wakeDescriptor >= 0 else {
      let error = ZMQError.last(.startReactor)
      Glibc.close(epoll)
      throw error
    }
    self.epoll = epoll
    self.wakeDescriptor = wakeDescriptor
    events = .allocate(capacity: ReactorPoller.eventsPerTurn)
    _ = try listen(wakeDescriptor, .wake, .startReactor)
  }

  deinit {
    Glibc.close(wakeDescriptor)
    Glibc.close(epoll)
    events.deallocate()
  }

  // MARK: Sockets

  func opened(_ socket: ZMQSocket) { open[ObjectIdentifier(socket)] = socket }

  func closed(_ socket: ZMQSocket) {
    remove(socket)
    open[ObjectIdentifier(socket)] = nil
  }

  func add(_ socket: ZMQSocket, _ handler: @escaping ZMQSocket.Handler) throws(ZMQError) {
    remove(socket)
    let descriptor = try socket.wakeDescriptor
    let key = try listen(descriptor, .socket(socket), .receive)
    socket.registration = ZMQSocketRegistration(key: key, descriptor: descriptor, handler: handler)
    // Messages may wait already, with their wake-up consumed.
    socket.touched()
  }

  func remove(_ socket: ZMQSocket) {
    guard let registration = socket.registration else { return }
    socket.registration = nil
    ignore(registration.descriptor, registration.key)
  }

  func look(at socket: ZMQSocket) { pending.append(socket) }

  var hasPending: Bool { !pending.isEmpty }

  /// Delivers what waits at the pending sockets, to each socket's limit.
  func servePending() {
    guard !pending.isEmpty else { return }
    swap(&pending, &serving)
    for socket in serving { serve(socket) }
    serving.removeAll(keepingCapacity: true)
  }

  private func serve(_ socket: ZMQSocket) {
    guard let registration = socket.registration else { return }
    for _ in 0..<ReactorPoller.messagesPerTurn {
      do {
        guard let message = try socket.nextMessage() else {
          registration.isPending = false
          return
        }
        registration.handler(socket, .success(message))
      } catch {
        if error.code != .tooManyFrames { remove(socket) }
        registration.handler(socket, .failure(error))
      }
      // The handler may have removed or closed the socket.
      guard socket.registration === registration else { return }
    }
    pending.append(socket)
  }

  // MARK: File descriptors

  func watch(_ descriptor: Int32, _ handler: @escaping () -> Void) throws(ZMQError) {
    watched[descriptor] = try listen(descriptor, .descriptor(handler), .watch)
  }

  func unwatch(_ descriptor: Int32) {
    guard let key = watched.removeValue(forKey: descriptor) else { return }
    ignore(descriptor, key)
  }

  // MARK: Waiting

  /// Waits until something happens, at most `milliseconds` (-1: for ever), and takes note of it.
  func wait(milliseconds: Int32) {
    let count = epoll_wait(epoll, events, Int32(ReactorPoller.eventsPerTurn), milliseconds)
    // An interrupted wait is a short one.
    guard count > 0 else { return }
    for index in 0..<Int(count) {
      // A handler before this one may have ended the interest; keys are never used twice.
      switch sources[events[index].data.u64] {
      case .wake:
        var value: UInt64 = 0
        _ = read(wakeDescriptor, &value, MemoryLayout<UInt64>.size)
      case .socket(let socket): socket.touched()
      case .descriptor(let handler): handler()
      case nil: break
      }
    }
  }

  /// Closes all sockets, each with its linger, and forgets all handlers.
  func close() {
    isClosed = true
    for socket in open.values { socket.close() }
    for descriptor in Array(watched.keys) { unwatch(descriptor) }
    pending = []
  }

  private func listen(
    _ descriptor: Int32, _ source: Source, _ operation: ZMQError.Operation
  ) throws(ZMQError) -> UInt64 {
    lastKey += 1
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    event.data.u64 = lastKey
    guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else { throw .last(operation) }
    sources[lastKey] = source
    return lastKey
  }

  private func ignore(_ descriptor: Int32, _ key: UInt64) {
    sources[key] = nil
    epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
  }
}
