import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// What every journal keeps beside the events: records in the order of their modification, and snapshots.
@Suite struct JournalRecordConformanceTests {
  private func record(
    _ id: UInt64, _ product: String = "monthly", type: ProductType = .autoRenewable, at: Int64 = 0, revision: UInt64 = 1
  ) -> TransactionRecord {
    let time = StoreTime(milliseconds: at)
    var record = TransactionRecord(
      transactionId: TransactionID(id), originalTransactionId: TransactionID(1), productId: product, type: type,
      purchaseDate: time, originalPurchaseDate: time, price: 990, currency: "USD", storefront: "USA",
      appTransactionId: "7")
    record.recordRevision = revision
    return record
  }

  private func stored(_ records: TransactionRecord...) -> [StoredRecord] {
    records.map { StoredRecord($0, body: $0.json) }
  }

  /// One append for each list, each with an event.
  private func journal(_ backend: JournalBackend, _ appends: [[StoredRecord]]) throws -> any Journal {
    let journal = try JournalPlace(backend).recovered()
    for (count, records) in appends.enumerated() {
      var append = JournalAppend.purchase(after: UInt64(count))
      append.records = records
      #expect(try journal.commit(append) == .committed(sequence: UInt64(count) + 1))
    }
    return journal
  }

  private func ids(_ page: RecordPage) -> [UInt64] { page.records.map(\.id.rawValue) }

  @Test(arguments: JournalBackend.allCases)
  func recordsComeBackByIdAsTheyWereLeft(_ backend: JournalBackend) throws {
    var shared = record(3, "lifetime", type: .nonConsumable, at: 7)
    shared.inAppOwnershipType = .familyShared
    shared.revocation = Revocation(date: StoreTime(milliseconds: 9), reason: 0, type: "FAMILY_REVOKE")
    shared.subscriptionGroupIdentifier = "G1"
    let journal = try journal(backend, [stored(record(1), record(2)), stored(record(1, revision: 2), shared)])
    let found = try journal.records(of: Demo.alice, ids: [3, 1, 9, 1].map { TransactionID($0) })
    #expect(try found.map { try $0.record() } == [record(1, revision: 2), shared])
    #expect(found.map(\.change) == [3, 4])
    #expect(found[1] == StoredRecord(shared, change: 4, body: shared.json))
    #expect(try journal.records(of: Demo.bob, ids: [TransactionID(1)]).isEmpty)
  }

  @Test(arguments: JournalBackend.allCases)
  func pagesFollowTheOrderOfModification(_ backend: JournalBackend) throws {
    let journal = try journal(backend, [stored(record(1), record(2), record(3)), stored(record(2, revision: 2))])
    var query = RecordQuery(limit: 2)
    var page = try journal.records(of: Demo.alice, matching: query)
    #expect(ids(page) == [1, 3])
    #expect(page.hasMore)
    query.after = page.cursor
    page = try journal.records(of: Demo.alice, matching: query)
    #expect(ids(page) == [2])
    #expect(!page.hasMore)
    // Whoever has seen all finds what is modified later behind the cursor, and nothing twice.
    var append = JournalAppend.purchase(after: 2)
    append.records = stored(record(1, revision: 2))
    _ = try journal.commit(append)
    query.after = page.cursor
    #expect(ids(try journal.records(of: Demo.alice, matching: query)) == [1])

    query = RecordQuery(limit: 2, isDescending: true)
    page = try journal.records(of: Demo.alice, matching: query)
    #expect(ids(page) == [1, 2])
    query.after = page.cursor
    page = try journal.records(of: Demo.alice, matching: query)
    #expect(ids(page) == [3])
    #expect(!page.hasMore)
    query.after = page.cursor
    page = try journal.records(of: Demo.alice, matching: query)
    #expect(page == RecordPage(cursor: query.after))
  }

  @Test(arguments: JournalBackend.allCases)
  func filtersLeaveOutWhatDoesNotMatch(_ backend: JournalBackend) throws {
    var revoked = record(5, "yearly", at: 50)
    revoked.revocation = Revocation(date: StoreTime(milliseconds: 60), reason: 1, type: "REFUND_FULL")
    revoked.subscriptionGroupIdentifier = "G1"
    var shared = record(6, "lifetime", type: .nonConsumable, at: 60)
    shared.inAppOwnershipType = .familyShared
    let journal = try journal(
      backend,
      [
        stored(
          record(1, at: 10), record(2, "coins", type: .consumable, at: 20), record(3, at: 30),
          record(4, "yearly", at: 40),
          revoked, shared)
      ])
    func found(_ change: (inout RecordQuery) -> Void) throws -> [UInt64] {
      var query = RecordQuery(limit: 10)
      change(&query)
      return ids(try journal.records(of: Demo.alice, matching: query))
    }
    #expect(try found { $0.products = ["yearly", "coins", "unknown"] } == [2, 4, 5])
    #expect(try found { $0.types = [.autoRenewable] } == [1, 3, 4, 5])
    #expect(
      try found {
        $0.types = [.autoRenewable]; $0.products = ["coins", "monthly"]
      } == [1, 3])
    #expect(
      try found {
        $0.types = [.autoRenewable]; $0.isDescending = true
      } == [5, 4, 3, 1])
    #expect(try found { $0.purchasedFrom = StoreTime(milliseconds: 20) } == [2, 3, 4, 5, 6])
    #expect(try found { $0.purchasedUntil = StoreTime(milliseconds: 20) } == [1])
    #expect(try found { $0.groups = ["G1"] } == [5])
    #expect(try found { $0.isShared = true } == [6])
    #expect(
      try found {
        $0.isRevoked = false; $0.products = ["yearly"]
      } == [4])
    #expect(try found { $0.products = [] } == [])
    #expect(try found { $0.limit = 0 } == [])
  }

  /// However much a filter leaves out, a page ends after so many rows, and the next one goes on there.
  @Test(arguments: JournalBackend.allCases)
  func pageLooksAtSoManyRowsOnly(_ backend: JournalBackend) throws {
    let records = (1...50).map { record($0, at: Int64($0)) }
    let journal = try journal(backend, [records.map { StoredRecord($0, body: $0.json) }])
    var query = RecordQuery(limit: 5, purchasedFrom: StoreTime(milliseconds: 42), mostLooks: 20)
    var pages: [[UInt64]] = []
    while true {
      let page = try journal.records(of: Demo.alice, matching: query)
      pages.append(ids(page))
      guard page.hasMore else { break }
      query.after = page.cursor
    }
    #expect(pages == [[], [], [42, 43, 44, 45, 46], [47, 48, 49, 50]])
  }

  @Test(arguments: JournalBackend.allCases)
  func walkingAllPagesSeesEveryRecordOnce(_ backend: JournalBackend) throws {
    let products = ["a", "b", "c"]
    let records = (1...97).map { record($0, products[Int($0 % 3)]) }
    let journal = try journal(backend, [records.map { StoredRecord($0, body: $0.json) }])
    for isDescending in [false, true] {
      var query = RecordQuery(limit: 20, isDescending: isDescending, products: ["a", "c"])
      var seen: [UInt64] = []
      while true {
        let page = try journal.records(of: Demo.alice, matching: query)
        seen += ids(page)
        guard page.hasMore else { break }
        query.after = page.cursor
      }
      let expected = records.filter { $0.productId != "b" }.map(\.transactionId.rawValue)
      #expect(seen == (isDescending ? expected.reversed() : expected))
    }
  }

  @Test(arguments: JournalBackend.allCases)
  func forgottenRecordsAreGoneAndChangesGoOn(_ backend: JournalBackend) throws {
    let place = JournalPlace(backend)
    let journal = try place.recovered()
    var first = JournalAppend.purchase()
    first.records = stored(record(1), record(2))
    _ = try journal.commit(first)
    var reset = JournalAppend.purchase(after: 1)
    reset.forgetsRecords = true
    _ = try journal.commit(reset)
    #expect(try journal.records(of: Demo.alice, matching: .all()).records.isEmpty)
    journal.close()
    let again = try place.recovered()
    var next = JournalAppend.purchase(after: 2)
    next.records = stored(record(3))
    _ = try again.commit(next)
    #expect(try again.records(of: Demo.alice, matching: .all()).records.map(\.change) == [3])
  }

  @Test(arguments: JournalBackend.allCases)
  func refusedAppendLeavesNoRecord(_ backend: JournalBackend) throws {
    let journal = try journal(backend, [stored(record(1))])
    var late = JournalAppend.purchase()
    late.records = stored(record(1, revision: 9), record(2))
    late.snapshot = Data("{}".utf8)
    #expect(try journal.commit(late) == .conflict(sequence: 1))
    #expect(try journal.records(of: Demo.alice, matching: .all()).records.map { try $0.record() } == [record(1)])
    #expect(try journal.activate(Demo.alice).snapshot == nil)
  }

  @Test(arguments: JournalBackend.allCases)
  func erasedWorldHasNoRecordsAndNoSnapshots(_ backend: JournalBackend) throws {
    let journal = try JournalPlace(backend).recovered()
    var append = JournalAppend.purchase()
    append.records = stored(record(1))
    append.snapshot = Data("{}".utf8)
    var stranger = JournalAppend.purchase(by: Demo.stranger)
    stranger.records = stored(record(1))
    _ = try journal.commit([append, stranger])
    try journal.erase(world: "demo", keeping: [])
    #expect(try journal.records(of: Demo.alice, matching: .all()).records.isEmpty)
    #expect(try journal.activate(Demo.alice) == StoredActor())
    #expect(try journal.records(of: Demo.stranger, ids: [TransactionID(1)]).count == 1)
  }

  @Test(arguments: JournalBackend.allCases)
  func activationBeginsWithTheNewestSnapshot(_ backend: JournalBackend) throws {
    let place = JournalPlace(backend)
    let journal = try place.recovered()
    for count in 0..<5 {
      var append = JournalAppend.purchase(after: UInt64(count))
      if count == 1 || count == 3 { append.snapshot = Data("{\(count)}".utf8) }
      _ = try journal.commit(append)
    }
    journal.close()
    let again = try place.recovered()
    let stored = try again.activate(Demo.alice)
    let at = JournalEvent.purchased(4).at
    #expect(stored.snapshot == StoredSnapshot(sequence: 4, at: at, body: Data("{3}".utf8)))
    #expect(stored.events == [.purchased(5).numbered(5)])
    #expect(stored.sequence == 5)
    #expect(try again.load(Demo.alice).events.count == 5)
    #expect(try again.load(Demo.alice).snapshot == nil)
  }

  /// An effect that is applied within its own commit is never seen in the outbox, unless its target's append is refused.
  @Test(arguments: JournalBackend.allCases)
  func effectAppliedInItsOwnCommitIsDone(_ backend: JournalBackend) throws {
    let place = JournalPlace(backend)
    let journal = try place.recovered()
    func cause(_ number: UInt64) -> JournalAppend {
      var append = JournalAppend.purchase(after: number - 1)
      append.effects = [.granted(from: Demo.alice, to: Demo.user, number)]
      return append
    }
    func application(_ number: UInt64, after count: UInt64) -> JournalAppend {
      var append = JournalAppend.purchase(by: Demo.user, after: count)
      append.applies = EffectID(source: Demo.alice, target: Demo.user, number: number)
      return append
    }
    #expect(
      try journal.commit([cause(1), application(1, after: 0), cause(2), application(2, after: 1)])
        == [.committed(sequence: 1), .committed(sequence: 1), .committed(sequence: 2), .committed(sequence: 2)])
    #expect(
      try journal.commit([cause(3), application(3, after: 7), cause(4)])
        == [.committed(sequence: 3), .conflict(sequence: 2), .committed(sequence: 4)])
    journal.close()
    let again = try place.open()
    #expect(Set(try again.recover().effects.map(\.id.number)) == [3, 4])
    let stored = try again.load(Demo.user)
    #expect(stored.applied == [Demo.alice: 2])
    #expect(try again.load(Demo.alice).sent == [Demo.user: 4])
    #expect(try again.commit([application(3, after: 2)]) == [.committed(sequence: 3)])
    #expect(try again.commit([application(4, after: 3)]) == [.committed(sequence: 4)])
  }
}
