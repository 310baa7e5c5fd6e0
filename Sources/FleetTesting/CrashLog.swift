import Fleet
import Synchronization

/// What apps of a fleet did by themselves: that they crashed.
final class CrashLog: Sendable {
  private let kept = Mutex<[String]>([])
  private let reading: Mutex<Task<Void, Never>?> = Mutex(nil)

  init(_ processes: ProcessFleet) {
    let task = Task { [weak self] in
      for await message in processes.appCrashes { self?.kept.withLock { $0.append(message) } }
    }
    reading.withLock { $0 = task }
  }

  deinit { reading.withLock { $0?.cancel() } }

  var messages: [String] { kept.withLock { $0 } }
}
