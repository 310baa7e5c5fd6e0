import CLinux
import Foundation
import Shared

enum Bench {
  static let rounds = 5
  static let monthMilliseconds: Int64 = 31 * 86_400_000

  static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return (ContinuousClock.now - start) / .seconds(1)
  }

  /// How long the body took, and how much of the processors' time the process used for it: other processes of a busy
  /// machine stretch the first.
  static func cost(_ body: () throws -> Void) rethrows -> (seconds: Double, processorSeconds: Double) {
    let before = processorSeconds
    let seconds = try seconds(body)
    return (seconds, processorSeconds - before)
  }

  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
  }

  /// Of one of `count` runs, on average.
  static func microseconds(_ count: Int, _ body: () throws -> Void) rethrows -> Double {
    try seconds { for _ in 0..<count { try body() } } * 1_000_000 / Double(count)
  }

  static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  static func text(_ value: Double) -> String { String(format: "%.2f", value) }

  static var allocatedBytes: Int {
    let info = mallinfo2()
    return Int(info.uordblks + info.hblkhd)
  }

  /// In a folder of its own, which is removed afterwards.
  static func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "jump-bench-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }
}
