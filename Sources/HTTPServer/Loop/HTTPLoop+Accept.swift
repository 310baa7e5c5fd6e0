import CLinux
import CMicroHTTPD
import Glibc
import Synchronization

extension HTTPLoop {
  /// Takes over a listening socket, and the choice of the loop for each connection.
  func listen(on descriptor: Int32, peers: [HTTPLoop]) {
    listener = descriptor
    self.peers = peers
    watch(descriptor, Tag.listener, EPOLLIN.rawValue)
  }

  func acceptConnections() {
    guard let listener else { return }
    // A bound, so that a flood of connections cannot starve those that are open.
    for _ in 0..<64 {
      let descriptor = accept4(listener, nil, nil, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
      guard descriptor >= 0 else {
        if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { pauseListening() }
        return
      }
      guard state.openConnections.load(ordering: .relaxed) < state.limits.connections else {
        refuse(descriptor)
        continue
      }
      state.acceptedConnections.add(1, ordering: .relaxed)
      state.openConnections.add(1, ordering: .relaxed)
      let loop = peers.min { $0.load.load(ordering: .relaxed) < $1.load.load(ordering: .relaxed) } ?? self
      loop.load.add(1, ordering: .relaxed)
      loop.perform { loop.serve(descriptor) }
    }
  }

  private func serve(_ descriptor: Int32) {
    var address = sockaddr_storage()
    address.ss_family = sa_family_t(AF_INET)
    let isAdded = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        // It asks for nothing but the family, which it needs for no decision. A socket that it refuses it closes.
        guard let daemon, !isStopping else {
          close(descriptor)
          return false
        }
        return MHD_add_connection(daemon, descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == .YES
      }
    }
    if !isAdded { connectionEnded() }
  }

  func connectionEnded() {
    load.subtract(1, ordering: .relaxed)
    state.openConnections.subtract(1, ordering: .relaxed)
  }

  private func refuse(_ descriptor: Int32) {
    state.refusedConnections.add(1, ordering: .relaxed)
    if !state.isTLS { RawResponse.send(.serviceUnavailable, to: descriptor) }
    close(descriptor)
  }

  // MARK: No more descriptors

  /// The connection stays in the queue and the socket readable, so without a pause the loop would spin.
  private func pauseListening() {
    guard let listener else { return }
    unwatch(listener)
    listensAgainAt = now.advanced(by: .milliseconds(100))
    needsSweep()
  }

  func listenAgain() {
    listensAgainAt = nil
    if let listener { watch(listener, Tag.listener, EPOLLIN.rawValue) }
  }

  func stopListening() {
    guard let listener else { return }
    unwatch(listener)
    close(listener)
    self.listener = nil
    listensAgainAt = nil
    peers = []
  }
}
