import CLinux
import CMicroHTTPD

extension HTTPConnection {
  /// Continues with the connection in the loop's next turn, if it was put aside.
  func resume() {
    guard isSuspended else { return }
    isSuspended = false
    MHD_resume_connection(handle)
  }

  /// Puts the connection aside until its stream has more to send.
  ///
  /// Gives false if nobody waits for it: a client that has ended its side counts as gone once its stream is quiet, since
  /// nothing tells the two apart.
  func park() -> Bool {
    guard !peerHasFinished else {
      stream?.close(.clientGone)
      task?.cancel()
      return false
    }
    MHD_suspend_connection(handle)
    isSuspended = true
    return true
  }

  /// The client will send nothing more: it has gone, or it only waits for its answer.
  func peerFinished() {
    peerHasFinished = true
    if stream != nil, isSuspended { abort() }
    loop.needsSweep()
  }
}
