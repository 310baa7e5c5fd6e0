import Foundation
import Testing
import os.log

@testable import os

@Suite struct LogTests {
  private struct Product: CustomStringConvertible { var description: String { "pro" } }

  @Test func numbersArePublicAndTextsArePrivate() {
    let name = "alice"
    let message: OSLogMessage =
      "bought \(3) of \(Product()) for \(name), \(name, privacy: .public), \(true), \(1.5, format: .fixed(precision: 1))"
    #expect(message.text == "bought 3 of <private> for <private>, alice, true, 1.5")
  }

  @Test func numbersCanBeHiddenAndFormatted() {
    let message: OSLogMessage =
      "\(255, format: .hex(includePrefix: true)) \(7, format: .decimal(minDigits: 3)) \(9, privacy: .private) \(1, privacy: .sensitive)"
    #expect(message.text == "0xff 007 <private> <sensitive>")
  }

  @Test func whoIsToldMaySeePrivateValues() {
    #expect(OSLogPrivacy.private.shown("x", isPublicByDefault: false, revealed: true) == "x")
    let mask = OSLogPrivacy.private(mask: .hash)
    #expect(mask.shown("x", isPublicByDefault: false, revealed: false).hasPrefix("<mask.hash: '"))
    #expect(
      mask.shown("x", isPublicByDefault: false, revealed: false)
        == mask.shown("x", isPublicByDefault: false, revealed: false))
  }

  @Test func aMessageIsOneLine() {
    let log = OSLog(subsystem: "com.example.app", category: "store")
    #expect(LogOutput.line("a\nb", .error, log) == "error [com.example.app:store] a\\nb\n")
    #expect(LogOutput.line("a", .default, .default) == "notice a\n")
  }

  @Test func formatsKeepPrivacyToo() {
    let format = FormatWithPrivacy("%{public}@ %@ %d %.1f %{private}d 5%% %ld", revealed: false)
    #expect(format.text(["a", "b", 3, 1.25, 4]) == "a <private> 3 1.2 <private> 5% %ld")
  }

  @Test func aFormatOfAnotherTypeDoesNoHarm() {
    #expect(FormatWithPrivacy("%d %f", revealed: false).text([1.5, 2]) == "1.5 2")
  }

  @Test func messagesOfAllKindsAreWritten() {
    let log = OSLog(subsystem: "com.example.app", category: "test")
    os_log("%{public}s is %d", log: log, type: .debug, "answer", 42)
    os_log(.debug, log: log, "answer \(42)")
    Logger(log).debug("answer \(42)")
    #expect(!OSLog.disabled.isEnabled(type: .fault))
  }

  @Test func aLockKeepsItsState() {
    let lock = OSAllocatedUnfairLock(initialState: 1)
    lock.withLock { $0 += 1 }
    #expect(lock.withLock { $0 } == 2)
  }
}
