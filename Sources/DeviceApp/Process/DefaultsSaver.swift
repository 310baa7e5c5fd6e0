import Foundation
import Threads

/// Saves `UserDefaults.standard` as often as a phone does.
///
/// On Linux nothing is written until somebody asks for it, and nobody is told of a change. A phone loses no value that
/// was set a second before a kill. A thread: the main one may be busy.
enum DefaultsSaver {
  private static let interval: TimeInterval = 0.4

  static func start() {
    // Without a thread an app still runs, and what it sets is saved when it says so.
    _ = NamedThread.start(named: "user-defaults") {
      while true {
        Thread.sleep(forTimeInterval: interval)
        UserDefaults.standard.synchronize()
      }
    }
  }
}
