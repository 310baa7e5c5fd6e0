import Fleet
import FleetTesting
import Foundation
import Shared
import Testing
import Wire

/// That a purchase is on the disk before anybody hears of it, as the kernel sees it.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct CommitBeforeReplyTests {
  /// The system calls of the server process. The 16 bytes of a request's id are in the log page that holds its reply,
  /// and in the reply on the wire, and nowhere else that is written: they mark both. Without the sync (SQLite's
  /// `synchronous=OFF`), or with a reply that does not wait for it, the order in the trace is another.
  @Test(.enabled(if: SystemCallTrace.isAvailable, "needs strace, and the right to trace"))
  func thePurchaseIsSyncedBeforeItsReplyIsSent() async throws {
    let workplace = try FleetWorkplace()
    let trace = SystemCallTrace(workplace)
    let ids = (0..<8).map { _ in RequestID(UUID()) }
    try await withFleet(["alice": [], "bob": []], executable: try trace.wrapper(), workplace: workplace) { fleet in
      for id in ids.prefix(4) {
        _ = try await fleet.ask(Purchase(productId: Product.coins), of: fleet.account("alice"), id: id)
      }
      // At once: they may share a commit.
      try await withThrowingTaskGroup(of: Void.self) { group in
        for id in ids.dropFirst(4) {
          group.addTask {
            _ = try await fleet.ask(Purchase(productId: Product.coins), of: fleet.account("bob"), id: id)
          }
        }
        try await group.waitForAll()
      }
    }
    let calls = try trace.read()
    for id in ids {
      let mark = SystemCallTrace.hexadecimal(id.bytes)
      let stored = try #require(calls.firstIndex { $0.isWriteToLog && $0.text.contains(mark) }, "no write of \(id)")
      let sent = try #require(calls.firstIndex { $0.isSend && $0.text.contains(mark) }, "no reply to \(id)")
      let synced = calls[stored...].firstIndex { $0.endsSyncOfLog }
      #expect(synced.map { $0 < sent } == true, "the reply to \(id) was sent before its commit was synced")
    }
  }
}
