import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Notifications through the node: what is sent, when it is tried again, what is kept.
@Suite struct NotificationTests {
  private static let hour: Int64 = 3_600_000

  private func shop(
    _ environment: String = "Production", evicting: Bool = false, urls: NotificationURLs? = StoreHarness.hook
  ) throws -> StoreHarness {
    let store = try StoreHarness(
      evicting: evicting, catalog: AccountStage.catalog, environment: environment, notificationURLs: urls)
    try store.open("ann")
    return store
  }

  private func buy(_ product: String, by name: String = "ann", on store: StoreHarness) throws {
    try store.ask(Purchase(productId: product), of: store.account(name))
  }

  private func refusal(_ ask: () throws -> Void) -> Refusal? {
    do { try ask() } catch { return (error as? WireError)?.refusal }
    return nil
  }

  private func hours(_ entry: NotificationEntry) -> [Int64] {
    entry.sendAttempts.map { ($0.attemptDate.milliseconds - entry.at.milliseconds) / NotificationTests.hour }
  }

  private func results(_ entry: NotificationEntry) -> [SendAttemptResult] {
    entry.sendAttempts.map(\.sendAttemptResult)
  }

  // MARK: Sending

  @Test func purchaseIsToldWithTheDataOfTheMoment() throws {
    let store = try shop()
    try buy("pro.monthly", on: store)
    let told = try #require(try store.received().first)
    #expect(store.posts.map(\.url) == ["http://127.0.0.1:9/hook"])
    #expect(told.words == "SUBSCRIBED INITIAL_BUY" && told.version == "2.0")
    #expect(told.signedDate == StoreHarness.start.milliseconds)
    #expect(told.data?.status == 1 && told.data?.environment == "Production")
    #expect(told.data?.appAppleId == StoreIdentity(bundleId: "com.example.app", environment: "Production").appAppleId)
    let transaction = try CompactJWS(Data(try #require(told.data?.signedTransactionInfo).utf8))
    let payload = try JSONDecoder().decode(TransactionPayload.self, from: transaction.payloadData)
    #expect(payload.productId == "pro.monthly" && payload.deviceVerification == nil)
    #expect(told.data?.signedRenewalInfo != nil)
    let entry = try #require(try store.entries().first)
    #expect(entry.state == .delivered && entry.account == "ann" && results(entry) == [.success])
    #expect(entry.notificationUUID == told.notificationUUID)
    // What is sent verifies against the world's root.
    let root = try store.ask(DescribeWorld(), of: store.worldAddress).rootCertificate
    let verifier = JWSVerifier(trust: TrustStore(roots: [root]))
    let whole = try CompactJWS(Data(try ReceivedNotification.payload(of: store.posts[0]).utf8))
    try verifier.verify(whole, at: told.signedDate)
    try verifier.verify(transaction, at: payload.signedDate.milliseconds)
  }

  @Test func withoutAURLNothingIsSentOrKept() throws {
    let store = try shop(urls: nil)
    try buy("coins", on: store)
    #expect(refusal { try store.ask(RequestTestNotification(), of: store.notifications) } == .noNotificationURL)
    try store.ask(SetNotificationURL(NotificationEndpoint(url: "https://example.com/hook")), of: store.worldAddress)
    #expect(try store.entries().isEmpty && store.posts.isEmpty)
    try buy("coins", on: store)
    #expect(try store.received().map(\.words) == ["ONE_TIME_CHARGE"])
    try store.ask(SetNotificationURL(nil), of: store.worldAddress)
    try buy("coins", on: store)
    #expect(store.posts.count == 1)
  }

  @Test func sandboxUsesTheURLOfProductionWhereItHasNone() throws {
    let own = NotificationURLs(
      production: NotificationEndpoint(url: "http://a/"), sandbox: NotificationEndpoint(url: "http://b/"))
    for (environment, urls, expected) in [
      ("Sandbox", own, "http://b/"), ("Production", own, "http://a/"),
      ("Sandbox", NotificationURLs(production: own.production), "http://a/"),
      ("Production", NotificationURLs(sandbox: own.sandbox), nil),
    ] {
      let store = try shop(environment, urls: urls)
      try buy("coins", on: store)
      #expect(store.posts.first?.url == expected)
    }
  }

  @Test(arguments: [
    "", "example.com", "ftp://example.com/", "http://", "http://a b/", "file:///etc/passwd", "http://a:0/",
    "http://a:65536/",
  ])
  func whatIsNoURLIsRefused(url: String) throws {
    let store = try shop()
    let error = #expect(throws: WireError.self) {
      try store.ask(SetNotificationURL(NotificationEndpoint(url: url)), of: store.worldAddress)
    }
    #expect(error?.code == .badBody)
    #expect(error?.message.contains("is no URL for notifications") == true)
  }

  // MARK: Tries

  @Test(arguments: [false, true]) func receiverThatIsDownForFourTriesGetsTheFifth(evicting: Bool) throws {
    let store = try shop(evicting: evicting)
    var tries = 0
    store.answersPost = { _ in
      tries += 1
      return tries < 5 ? .failed(.socketIssue) : .answered(status: 200)
    }
    try buy("coins", on: store)
    try store.advance(days: 10)
    #expect(tries == 5)
    #expect(Set(store.posts.map(\.body)).count == 1, "the same bytes, and so the same notificationUUID, at each try")
    let entry = try #require(try store.entries().first)
    #expect(entry.state == .delivered)
    #expect(results(entry) == [.socketIssue, .socketIssue, .socketIssue, .socketIssue, .success])
    // 1, 12, 24 and 48 hours after the try before.
    #expect(hours(entry) == [0, 1, 13, 37, 85])
  }

  @Test func sixTriesAreAllThatThereAreInProductionAndOneInTheSandbox() throws {
    for (environment, tries) in [("Production", 6), ("Sandbox", 1)] {
      let store = try shop(environment)
      store.answersPost = { _ in .answered(status: 503) }
      try buy("coins", on: store)
      try store.advance(days: 30)
      let entry = try #require(try store.entries().first)
      #expect(entry.state == .failed && entry.sendAttempts.count == tries)
      #expect(Set(results(entry)) == [.unsuccessfulHTTPResponseCode])
    }
  }

  @Test(arguments: [
    (199, false), (200, true), (204, true), (206, true), (207, false), (302, false), (404, false), (500, false),
  ])
  func statusesFromTwoHundredToTwoHundredAndSixAreSuccess(status: Int, isSuccess: Bool) throws {
    let store = try shop("Sandbox")
    store.answersPost = { _ in .answered(status: status) }
    try buy("coins", on: store)
    #expect(try store.entries().map(\.state) == [isSuccess ? .delivered : .failed])
  }

  @Test func renewalsOfAJumpAreToldInOrderAndRetriesInTheirs() throws {
    let store = try shop()
    try buy("pro.monthly", on: store)
    var failing: Set<Data> = []
    // Every other notification fails the first time.
    store.answersPost = { post in
      if store.posts.count % 2 == 0, failing.insert(post.body).inserted { return .failed(.timedOut) }
      return .answered(status: 200)
    }
    try store.advance(days: 366)
    let entries = try store.entries()
    #expect(entries.map(\.notificationType) == ["SUBSCRIBED"] + Array(repeating: "DID_RENEW", count: 12))
    #expect(entries.allSatisfy { $0.state == .delivered })
    #expect(entries.contains { $0.sendAttempts.count == 2 })
    let attempts = entries.flatMap { entry in entry.sendAttempts.map(\.attemptDate) }
    #expect(attempts == attempts.sorted(), "a retry comes an hour later, before the next renewal")
    #expect(store.posts.count == attempts.count)
  }

  @Test func jumpWaitsForARetryAndNotForAFirstTryThatCannotMatter() throws {
    let store = try shop()
    try buy("pro.monthly", on: store)
    store.holdsPosts = true
    let jump = RequestID(UUID())
    store.send(AdvanceClock(.by(milliseconds: 32 * 24 * NotificationTests.hour)), to: store.worldAddress, id: jump)
    // The renewal's notification is on its way; its retry would be within the jump.
    #expect(store.reply(to: jump) == nil)
    store.releasePosts()
    #expect(store.reply(to: jump) != nil)

    let sandbox = try shop("Sandbox")
    try buy("pro.monthly", on: sandbox)
    sandbox.holdsPosts = true
    try sandbox.advance(days: 31)
    let settled = RequestID(UUID())
    sandbox.send(Settle(), to: sandbox.worldAddress, id: settled)
    #expect(sandbox.reply(to: settled) == nil, "a try is on its way")
    sandbox.releasePosts()
    #expect(sandbox.reply(to: settled) != nil)
  }

  @Test func longJumpKeepsLittleInMemory() throws {
    let store = try StoreHarness(
      catalog: AccountStage.catalog, timeRate: .realTime, notificationURLs: StoreHarness.hook)
    let names = (0..<40).map { "a\($0)" }
    for name in names {
      try store.open(name)
      try buy("pro.monthly", by: name, on: store)
    }
    try store.advance(days: 366)
    try store.settle()
    #expect(store.posts.count == 40 * 13)
    // In order for each account, whatever the others do.
    let entries = try store.entries()
    #expect(entries.count == 40 * 13 && entries.allSatisfy { $0.state == .delivered })
    #expect(Set(entries.map(\.notificationUUID)).count == entries.count)
    #expect(entries.map(\.number) == (1...520).map { UInt64($0) })
  }

  // MARK: Death

  @Test(arguments: 0..<14) func deathBetweenStepsLosesAndDoublesNothing(step: Int) throws {
    let store = try shop()
    var failures = 3
    store.answersPost = { _ in
      failures -= 1
      return failures >= 0 ? .failed(.noResponse) : .answered(status: 200)
    }
    var count = 0
    store.crashes = {
      count += 1
      return count == 1 + step
    }
    store.isPatient = true
    try buy("pro.monthly", on: store)
    try store.advance(days: 20)
    try store.settle()
    let entries = try store.entries()
    #expect(entries.map(\.notificationType) == ["SUBSCRIBED"])
    #expect(entries[0].state == .delivered)
    let told = try store.received()
    #expect(Set(told.map(\.notificationUUID)) == [entries[0].notificationUUID])
    // A try that was on its way is made again; what was sent once never has other bytes.
    #expect(Set(store.posts.map(\.body)).count == 1)
    #expect(store.posts.count - entries[0].sendAttempts.count <= store.crashCount)
  }

  @Test func waitingRetrySurvivesARestart() throws {
    let store = try shop()
    store.answersPost = { _ in .failed(.tlsIssue) }
    try buy("coins", on: store)
    try store.restart()
    store.answersPost = { _ in .answered(status: 200) }
    try store.advance(minutes: 59)
    #expect(store.posts.count == 1)
    try store.advance(minutes: 1)
    #expect(store.posts.count == 2 && store.posts[0] == store.posts[1])
    #expect(try store.entries().map(\.state) == [.delivered])
  }

  @Test func tryThatWasOnItsWayWhenTheNodeDiedIsMadeAgain() throws {
    let store = try shop("Sandbox")
    store.holdsPosts = true
    try buy("coins", on: store)
    #expect(store.posts.count == 1)
    try store.restart()
    store.releasePosts()
    // Nobody asks for anything: the journal says that there is something to be done.
    store.wait(milliseconds: 1_000)
    #expect(store.posts.count == 2 && store.posts[0] == store.posts[1])
    #expect(try store.entries().map(\.state) == [.delivered])
  }

  @Test func fullDiskKeepsTheResultUntilThereIsRoom() throws {
    let store = try shop()
    store.failsAppend = { $0.actor.kind == .notifications ? JournalError(.full, "The disk is full.") : nil }
    try buy("coins", on: store)
    #expect(store.posts.isEmpty, "nothing is sent that is not on disk")
    store.failsAppend = { _ in nil }
    store.wait(milliseconds: 5_000)
    #expect(store.posts.count == 1)
    #expect(try store.entries().map(\.state) == [.delivered])
  }

  @Test func resetForgetsNotificationsAndGivesOthersNewIds() throws {
    let store = try shop()
    store.holdsPosts = true
    try buy("coins", on: store)
    let before = try store.received()
    _ = try store.ask(ResetWorld(), of: store.worldAddress)
    store.releasePosts()
    #expect(try store.entries().isEmpty)
    try buy("coins", on: store)
    let entries = try store.entries()
    #expect(entries.map(\.number) == [1] && entries[0].state == .delivered)
    #expect(entries[0].notificationUUID != before[0].notificationUUID)
  }

  // MARK: Tests

  @Test func testNotificationSaysNothingOfAnybody() throws {
    let store = try shop()
    let id = RequestID(UUID())
    let token = try store.ask(RequestTestNotification(), of: store.notifications, id: id).testNotificationToken
    #expect(try store.ask(RequestTestNotification(), of: store.notifications, id: id).testNotificationToken == token)
    #expect(store.posts.count == 1, "the same request again sends nothing")
    let told = try store.received()[0]
    #expect(told.words == "TEST" && told.data?.signedTransactionInfo == nil && told.data?.status == nil)
    #expect(told.data?.bundleId == "com.example.app")
    let status = try store.ask(GetTestNotificationStatus(testNotificationToken: token), of: store.notifications)
    #expect(status.sendAttempts.map(\.sendAttemptResult) == [.success])
    #expect(status.signedPayload == (try ReceivedNotification.payload(of: store.posts[0])))
    func refused(_ token: String) -> Refusal? {
      refusal { try store.ask(GetTestNotificationStatus(testNotificationToken: token), of: store.notifications) }
    }
    #expect(refused("what") == .badTestNotificationToken)
    #expect(refused("\(UUID())_1") == .testNotificationNotFound)
    #expect(refused("\(UUID())_99") == .testNotificationNotFound)
  }

  // MARK: History

  @Test func historyComesInPagesAndSaysWhatFailed() throws {
    let store = try shop("Production")
    try store.open("ben")
    // 45 notifications, of which 25 fail, and 10 of these are delivered by a retry.
    var tries: [Data: Int] = [:]
    store.answersPost = { post in
      let number = tries.count
      tries[post.body, default: 0] += 1
      if tries[post.body] == 1 { return number < 25 ? .answered(status: 500) : .answered(status: 200) }
      return store.posts.firstIndex(of: post).map { $0 < 10 } ?? false ? .answered(status: 200) : .answered(status: 500)
    }
    for number in 0..<45 { try buy("coins", by: number < 30 ? "ann" : "ben", on: store) }
    let start = StoreHarness.start
    func pages(_ change: (inout GetNotificationHistory) -> Void = { _ in }) throws -> [[NotificationHistoryItem]] {
      let now = try store.ask(DescribeWorld(), of: store.worldAddress).now
      var request = GetNotificationHistory(startDate: start, endDate: now.advanced(by: 1_000_000))
      change(&request)
      var pages: [[NotificationHistoryItem]] = []
      repeat {
        let reply = try store.ask(request, of: store.notifications)
        pages.append(reply.notificationHistory)
        request.paginationToken = reply.paginationToken
        #expect(reply.hasMore == (reply.paginationToken != nil))
      } while request.paginationToken != nil
      return pages
    }
    #expect(try pages().map(\.count) == [20, 20, 5])
    #expect(Set(try pages().joined().map(\.signedPayload)).count == 45)
    #expect(try pages { $0.onlyFailures = true }.map(\.count) == [20, 5], "those that wait for a retry are among them")
    try store.advance(minutes: 61)
    #expect(try pages { $0.onlyFailures = true }.map(\.count) == [15])
    #expect(store.core.counters.notificationAttempts == [.success: 30, .unsuccessfulHTTPResponseCode: 40])
    #expect(try pages { $0.notificationType = "ONE_TIME_CHARGE" }.joined().count == 45)
    #expect(try pages { $0.notificationType = "REFUND" }.joined().isEmpty)
    let mine = try #require(try store.history(of: "ben").records.first).transactionId.description
    #expect(try pages { $0.transactionId = mine }.map(\.count) == [15])
    #expect(try pages { $0.transactionId = "700000000000000002" }.map(\.count) == [15], "the app transaction will do")
    try store.advance(days: 181)
    // The earliest that may be asked for.
    let now = try store.ask(DescribeWorld(), of: store.worldAddress).now
    let reply = try store.ask(
      GetNotificationHistory(
        startDate: now.advanced(by: -180 * 24 * NotificationTests.hour), endDate: now, onlyFailures: true),
      of: store.notifications)
    #expect(reply.notificationHistory.isEmpty && !reply.hasMore)
  }

  @Test func historyQuestionsHaveLimits() throws {
    let store = try shop("Production")
    try buy("coins", on: store)
    try store.advance(days: 200)
    let now = try store.ask(DescribeWorld(), of: store.worldAddress).now
    let limit = now.advanced(by: -180 * 24 * NotificationTests.hour)
    func ask(_ start: StoreTime, _ change: (inout GetNotificationHistory) -> Void = { _ in }) -> Refusal? {
      var request = GetNotificationHistory(startDate: start, endDate: now)
      change(&request)
      return refusal { try store.ask(request, of: store.notifications) }
    }
    #expect(ask(limit) == nil)
    #expect(ask(limit.advanced(by: -1)) == .startDateTooFarInPast)
    #expect(ask(now) == .startDateAfterEndDate)
    #expect(ask(limit) { $0.endDate = now.advanced(by: 1 << 40) } == nil, "the future counts as now")
    #expect(ask(limit) { $0.notificationType = "NEWS" } == .badNotificationType)
    #expect(ask(limit) { $0.notificationSubtype = "UPGRADE" } == .badNotificationType)
    #expect(ask(limit) { ($0.notificationType, $0.transactionId) = ("TEST", "2000000001000001") } == .multipleFilters)
    #expect(ask(limit) { $0.transactionId = "7" } == .unknownTransaction)
    #expect(ask(limit) { $0.paginationToken = "x" } == .badPaginationToken)
    let sandbox = try shop("Sandbox")
    try sandbox.advance(days: 100)
    let later = try sandbox.ask(DescribeWorld(), of: sandbox.worldAddress).now
    let month = GetNotificationHistory(startDate: later.advanced(by: -31 * 24 * NotificationTests.hour), endDate: later)
    #expect(refusal { try sandbox.ask(month, of: sandbox.notifications) } == .startDateTooFarInPast)
  }

  // MARK: Faults

  @Test func nextOnesGetLost() throws {
    let store = try shop()
    try store.ask(SetNotificationFault(NotificationFault(.drop, count: 2)), of: store.notifications)
    for _ in 0..<3 { try buy("coins", on: store) }
    #expect(store.posts.count == 1)
    #expect(try store.entries().map(\.state) == [.open, .open, .delivered])
    try store.advance(minutes: 60)
    #expect(store.posts.count == 3, "in production they are tried again")
  }

  @Test func duplicatesHaveTheSameBytes() throws {
    let store = try shop("Sandbox")
    try store.ask(SetNotificationFault(NotificationFault(.duplicate, percent: 100)), of: store.notifications)
    try buy("coins", on: store)
    #expect(store.posts.count == 2 && store.posts[0] == store.posts[1])
    #expect(try store.entries().map { results($0) } == [[.success, .success]])
  }

  @Test func delayedOnesWaitOnTheWorldsClock() throws {
    let store = try shop("Sandbox")
    let fault = NotificationFault(.delay, count: 1, delayMilliseconds: 30 * 60_000)
    try store.ask(SetNotificationFault(fault), of: store.notifications)
    try buy("coins", on: store)
    try buy("lifetime", on: store)
    try store.settle()
    #expect(store.posts.count == 1)
    try store.advance(minutes: 30)
    let told = try store.received()
    #expect(told.count == 2 && told[0].signedDate == told[1].signedDate, "signed for the moment it happened")
  }

  @Test func countedOnesComeInReverse() throws {
    let store = try shop("Sandbox")
    try store.ask(SetNotificationFault(NotificationFault(.reorder, count: 3)), of: store.notifications)
    for product in ["coins", "lifetime", "pro.monthly", "season"] { try buy(product, on: store) }
    let sent = ["SUBSCRIBED INITIAL_BUY", "ONE_TIME_CHARGE", "ONE_TIME_CHARGE", "ONE_TIME_CHARGE"]
    #expect(try store.received().map(\.words) == sent)
    #expect(try store.entries().allSatisfy { $0.state == .delivered })
    // What is still held back when all is well again is sent.
    try store.ask(SetNotificationFault(NotificationFault(.reorder, count: 9)), of: store.notifications)
    try buy("coins", on: store)
    #expect(store.posts.count == 4)
    try store.ask(SetNotificationFault(nil), of: store.notifications)
    #expect(store.posts.count == 5)
  }

  @Test func shareOfThemGoesBehindOthers() throws {
    let store = try shop("Sandbox")
    try store.ask(SetNotificationFault(NotificationFault(.reorder, percent: 50)), of: store.notifications)
    for _ in 0..<40 { try buy("coins", on: store) }
    try store.ask(SetNotificationFault(nil), of: store.notifications)
    let sent = try store.received().map(\.notificationUUID)
    let noted = try store.entries().map(\.notificationUUID)
    #expect(Set(sent) == Set(noted) && sent.count == 40)
    #expect(sent != noted)
  }

  @Test(arguments: [
    NotificationFault(.drop), NotificationFault(.drop, count: 1, percent: 1), NotificationFault(.drop, count: 0),
    NotificationFault(.drop, percent: 101), NotificationFault(.delay, count: 1),
    NotificationFault(.drop, count: 1, delayMilliseconds: 5),
  ])
  func faultsThatMakeNoSenseAreRefused(fault: NotificationFault) throws {
    let store = try shop()
    let error = #expect(throws: WireError.self) {
      try store.ask(SetNotificationFault(fault), of: store.notifications)
    }
    #expect(error?.code == .badBody)
  }

  // MARK: Who may

  @Test func phonesDoNotAskForNotifications() throws {
    let store = try shop()
    let phone = PeerID(Data("phone".utf8))
    try store.hello("client-1", as: phone, devices: ["p": "ann"])
    for ask in [
      { try store.ask(RequestTestNotification(), of: store.notifications, from: phone) as Any },
      { try store.ask(ListNotifications(), of: store.notifications, from: phone) as Any },
      { try store.ask(SetNotificationURL(nil), of: store.worldAddress, from: phone) as Any },
    ] {
      let error = #expect(throws: WireError.self) { _ = try ask() }
      #expect(error?.code == .unauthorized)
    }
  }

  @Test func acceptedOnesNeedNoServer() throws {
    let urls = NotificationURLs(production: NotificationEndpoint(url: NotificationEndpoint.accept))
    let store = try shop("Sandbox", urls: urls)
    for _ in 0..<50 { try buy("coins", on: store) }
    try store.settle()
    #expect(store.posts.isEmpty)
    #expect(try store.entries().map(\.state) == Array(repeating: .delivered, count: 50))
  }
}
