import ClientNode
import DeviceApp
import Foundation
import Shared
import Testing

/// The file that moves `Date()` of another process.
struct FaketimeClockTests {
  private let folder: URL
  private var path: String { folder.appending(path: "clock").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "clock-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private var text: String? { try? String(contentsOfFile: path, encoding: .utf8) }

  private func clock() -> FaketimeClock { FaketimeClock(path: path, log: { _ in }) }

  /// In seconds.
  private func offset() throws -> Double {
    let text = try #require(text)
    #expect(text.hasPrefix("+") || text.hasPrefix("-"), "libfaketime takes anything else for an instant")
    return try #require(Double(text.trimmingCharacters(in: .newlines)))
  }

  @Test func aTimeIsWrittenAsAnOffsetFromTheMachines() throws {
    clock().show(MachineClock.now.advanced(by: 3_600_000), skewMilliseconds: -600_000)
    #expect(abs(try offset() - 3_000) < 60)
    try FileManager.default.removeItem(at: folder)
  }

  @Test func withTheMachinesTimeOnlyTheSkewCounts() throws {
    clock().show(nil, skewMilliseconds: 7_200_000)
    #expect(text == "+7200.000\n")
    try FileManager.default.removeItem(at: folder)
  }

  @Test func theSameInstantSaidAgainDoesNotSetTheClockBack() throws {
    let time = StoreTime(milliseconds: 1_900_000_000_000)
    clock().show(time, skewMilliseconds: 0)
    let first = text
    // A process that is started again hears of the instant at which the last jump ended.
    clock().show(time, skewMilliseconds: 0)
    #expect(text == first)
    try FileManager.default.removeItem(at: folder)
  }
}
