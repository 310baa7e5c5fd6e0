import ClientNode
import Foundation
import Glibc
import Launch
package import Shared
import Synchronization

/// The file in which libfaketime looks, at each reading of the wall clock, how far it is to go wrong.
///
/// Always an offset: time goes on between jumps. A process that is started again finds the file of the one before, so its
/// time does not go back to where the last jump ended.
package final class FaketimeClock: AppClock {
  private struct Shown: Codable, Equatable {
    var time: Int64?
    var skew: Int64
  }

  private let path: String
  private let log: @Sendable (String) -> Void
  private let shown: Mutex<Shown?>

  package init(path: String, log: @escaping @Sendable (String) -> Void) {
    self.path = path
    self.log = log
    let last = try? JSONDecoder().decode(Shown.self, from: Data(contentsOf: URL(filePath: path + ".json")))
    shown = Mutex(access(path, F_OK) == 0 ? last : nil)
  }

  package func show(_ time: StoreTime?, skewMilliseconds: Int64) {
    let wanted = Shown(time: time?.milliseconds, skew: skewMilliseconds)
    shown.withLock { shown in
      guard shown != wanted else { return }
      // Nothing has moved this clock yet, and without a file it is the machine's.
      if shown == nil, wanted == Shown(time: nil, skew: 0) { return }
      let isFirst = shown == nil
      let offset = offset(to: wanted, since: shown)
      shown = wanted
      do {
        // Renamed into place: the app may read at any moment.
        try PrivateFile.write(Data(String(format: "%+.3f\n", Double(offset) / 1_000).utf8), to: path)
        try PrivateFile.write(JSONEncoder().encode(wanted), to: path + ".json")
      } catch {
        return log("this app's clock cannot be set, what it reads in Date() is wrong: \(error)")
      }
      if isFirst { check(offset) }
    }
  }

  /// In milliseconds. A change of the skew alone moves the clock by that much, wherever it is.
  private func offset(to wanted: Shown, since shown: Shown?) -> Int64 {
    let machine = MachineClock.now
    if let shown, shown.time == wanted.time, wanted.time != nil {
      let now = StoreTime(Date()).milliseconds
      return now &- machine.milliseconds &+ (wanted.skew &- shown.skew)
    }
    return (wanted.time.map { $0 &- machine.milliseconds } ?? 0) &+ wanted.skew
  }

  /// A static executable, for example, takes no preloaded library.
  private func check(_ offset: Int64) {
    let difference = StoreTime(Date()).milliseconds - MachineClock.now.milliseconds
    guard abs(difference - offset) > 1_000 else { return }
    log(
      "Date() does not follow the world's clock here: libfaketime does not work with this executable (is it linked statically?)"
    )
  }
}
