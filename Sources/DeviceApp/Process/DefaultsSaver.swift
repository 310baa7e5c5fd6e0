import Foundation

/// Saves `UserDefaults.standard` as often as a phone does.
///
/// On Linux nothing is written until somebody asks for it, and nobody is told of a change. A phone loses no value that
/// was set a second before a kill. A thread: the main one may be busy.
enum DefaultsSaver {
  private static let interval: TimeInterval = 0.4

  static func start() {
    let thread = Thread {
      while true {
        Thread.sleep(forTimeInterval: interval)
        UserDefaults.standard.synchronize()
      }
    }
    thread.name = "user-defaults"
    thread.stackSize = 256 * 1024
    thread.start()
  }
}
