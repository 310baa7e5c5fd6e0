import Foundation
import Glibc

/// What libfaketime leaves in a process that it was loaded into, and beyond it.
enum FaketimeTraces {
  /// Removes the names of its semaphore and its shared memory, which only programs that this one starts would use: a
  /// process that is killed would leave both in `/dev/shm` for ever. What this one starts has the machine's time.
  static func remove() {
    let process = getpid()
    unlink("/dev/shm/faketime_shm_\(process)")
    unlink("/dev/shm/sem.faketime_sem_\(process)")
    unsetenv("FAKETIME_SHARED")
    unsetenv("LD_PRELOAD")
  }
}
