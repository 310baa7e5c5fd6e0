import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// What every journal keeps of notifications.
@Suite struct JournalNotificationConformanceTests {
  private static let actor = ActorAddress.notifications(of: "demo")

  private func notification(
    _ number: UInt64, _ type: String = "DID_RENEW", _ subtype: String? = nil, at: Int64 = 0, customer: UInt64 = 1,
    delivered: Bool = true, open: Bool = false, payload: UInt64 = 1
  ) -> StoredNotification {
    StoredNotification(
      number: number, at: StoreTime(milliseconds: at), type: type, subtype: subtype, customer: customer,
      isDelivered: delivered, isOpen: open, payloadSequence: payload,
      body: .init(uuid: UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)), account: "a", attempts: []))
  }

  private func journal(_ backend: JournalBackend, _ rows: [StoredNotification]) throws -> any Journal {
    let journal = try JournalPlace(backend).recovered()
    var append = JournalAppend.purchase(by: JournalNotificationConformanceTests.actor)
    append.notifications = rows
    #expect(try journal.commit(append) == .committed(sequence: 1))
    return journal
  }

  private func page(_ journal: any Journal, _ query: NotificationQuery) throws -> NotificationPage {
    try journal.notifications(of: JournalNotificationConformanceTests.actor, matching: query)
  }

  private func numbers(_ journal: any Journal, _ query: NotificationQuery) throws -> [UInt64] {
    try page(journal, query).notifications.map(\.number)
  }

  @Test(arguments: JournalBackend.allCases)
  func rowsComeBackWithTheirPayloadsAndTakeEachOthersPlace(_ backend: JournalBackend) throws {
    let journal = try journal(backend, [notification(1, delivered: false, open: true), notification(2, payload: 0)])
    var page = try journal.notifications(
      of: JournalNotificationConformanceTests.actor, matching: NotificationQuery(limit: 10))
    var expected = notification(1, delivered: false, open: true)
    expected.payloadEvent = JournalEvent.purchased(1).body
    #expect(page == NotificationPage(notifications: [expected, notification(2, payload: 0)]))
    #expect(try journal.recover().notifying == ["demo"])
    var append = JournalAppend.purchase(by: JournalNotificationConformanceTests.actor, after: 1)
    append.notifications = [notification(1)]
    _ = try journal.commit(append)
    page = try journal.notifications(
      of: JournalNotificationConformanceTests.actor, matching: NotificationQuery(limit: 1))
    #expect(page.notifications.map(\.isDelivered) == [true] && page.hasMore)
    #expect(try journal.recover().notifying == [])
    #expect(try journal.notifications(of: Demo.alice, matching: NotificationQuery(limit: 1)) == NotificationPage())
  }

  @Test(arguments: JournalBackend.allCases)
  func filtersLeaveOutTheOthers(_ backend: JournalBackend) throws {
    let journal = try journal(
      backend,
      [
        notification(1, at: 10), notification(2, "EXPIRED", "VOLUNTARY", at: 20, customer: 2),
        notification(3, "EXPIRED", at: 30, delivered: false), notification(4, at: 40, payload: 0),
      ])
    #expect(try numbers(journal, NotificationQuery(limit: 9)) == [1, 2, 3, 4])
    #expect(try numbers(journal, NotificationQuery(after: 2, limit: 9)) == [3, 4])
    #expect(try numbers(journal, NotificationQuery(limit: 9, type: "EXPIRED")) == [2, 3])
    #expect(try numbers(journal, NotificationQuery(limit: 9, type: "EXPIRED", subtype: "VOLUNTARY")) == [2])
    #expect(try numbers(journal, NotificationQuery(limit: 9, customer: 2)) == [2])
    #expect(try numbers(journal, NotificationQuery(limit: 9, onlyFailures: true)) == [3])
    #expect(try numbers(journal, NotificationQuery(limit: 9, onlySigned: true)) == [1, 2, 3])
    let from = StoreTime(milliseconds: 20)
    let until = StoreTime(milliseconds: 30)
    #expect(try numbers(journal, NotificationQuery(limit: 9, from: from, until: until)) == [2, 3])
    #expect(try page(journal, NotificationQuery(limit: 2)).hasMore)
  }

  @Test(arguments: JournalBackend.allCases)
  func eraseTakesThemAway(_ backend: JournalBackend) throws {
    let journal = try journal(backend, [notification(1, open: true)])
    try journal.erase(world: "demo", keeping: [])
    #expect(try numbers(journal, NotificationQuery(limit: 9)) == [])
    #expect(try journal.recover().notifying == [])
  }
}
