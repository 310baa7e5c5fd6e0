internal import CZeroMQ
internal import Glibc

/// How many files this process may open. libzmq aborts the process when it cannot get a descriptor for one of its
/// threads, so there is room for them before it is asked.
enum DescriptorLimit {
  /// Raises the soft limit to `need` where it is lower; fails when the hard limit does not allow that.
  static func raise(to need: Int) throws(ZMQError) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { throw .last(.openContext) }
    let need = rlim_t(need)
    guard limit.rlim_cur < need else { return }
    guard limit.rlim_max >= need else {
      throw ZMQError(
        .tooManyOpenFiles, .openContext,
        reason: "that many sockets need \(need) open files and this process may have \(limit.rlim_max); "
          + "raise the hard limit (ulimit -Hn) or use fewer sockets")
    }
    limit.rlim_cur = need
    guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { throw .last(.openContext) }
  }

  /// Whether `count` more descriptors can be opened right now.
  static func hasRoom(for count: Int) -> Bool {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < count {
      let descriptor = eventfd(0, Int32(EFD_CLOEXEC))
      guard descriptor >= 0 else { return false }
      opened.append(descriptor)
    }
    return true
  }
}
