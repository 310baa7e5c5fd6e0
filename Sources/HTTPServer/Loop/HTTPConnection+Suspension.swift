import CLinux
import CMicroHTTPD

extension HTTPConnection {
  /// Continues with the connection in the loop's next turn, if it was put aside.
  func resume() {
    guard isSuspended else { return }
    unwatch()
    isSuspended = false
    MHD_resume_connection(handle)
  }

  /// Puts the connection aside until its stream has more to send. libmicrohttpd does not look at the socket meanwhile,
  /// so the loop does: a reader of a quiet stream that goes away is noticed. One that only ends its own side counts as
  /// gone too, since nothing tells the two apart.
  func park() {
    MHD_suspend_connection(handle)
    isSuspended = true
    loop.lastTag += 1
    watchTag = loop.lastTag
    loop.watched[loop.lastTag] = self
    loop.watch(socket, loop.lastTag, EPOLLRDHUP.rawValue)
  }

  func unwatch() {
    guard let tag = watchTag else { return }
    watchTag = nil
    loop.watched[tag] = nil
    loop.unwatch(socket)
  }

  func peerHungUp() { abort() }
}
