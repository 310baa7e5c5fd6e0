import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Public reports of backends that receive App Store Server Notifications.
@Suite struct NotificationReportTests {
  private static let hour: Int64 = 3_600_000

  private func town(_ environment: String = "Production") throws -> Town {
    try Town(
      [:], environment: environment,
      notificationURLs: NotificationURLs(production: NotificationEndpoint(url: "http://127.0.0.1:9/")))
  }

  private func entries(_ town: Town) throws -> [NotificationEntry] {
    try town.ask(ListNotifications(), of: .notifications(of: Town.world)).notifications
  }

  private func words(_ entries: [NotificationEntry]) -> [String] {
    entries.map { $0.notificationType + ($0.subtype.map { " \($0)" } ?? "") }
  }

  /// 302, 207, no answer in time and a reset after the body are no success; 204 is.
  @Test func br66AnswerThatIsNoSuccessBringsSixDeliveriesOfOneEvent() throws {
    for (outcome, tries) in [
      (NotificationPost.Outcome.answered(status: 204), 1), (.answered(status: 302), 6), (.answered(status: 207), 6),
      (.failed(.timedOut), 6), (.failed(.prematureClose), 6),
    ] {
      let town = try town()
      var sent: [Data] = []
      town.answersPost = { post in
        sent.append(post.body)
        return outcome
      }
      try town.open("alice")
      try town.buy(.coins, by: "alice")
      try town.advance(days: 10)
      #expect(sent.count == tries && Set(sent).count == 1, "one notificationUUID")
      let entry = try #require(try entries(town).first)
      let hours = entry.sendAttempts.map {
        ($0.attemptDate.milliseconds - entry.at.milliseconds) / NotificationReportTests.hour
      }
      #expect(hours == Array([0, 1, 13, 37, 85, 157].prefix(tries)))
      #expect(entry.state == (tries == 1 ? .delivered : .failed))
      #expect(Set(entry.sendAttempts.map(\.sendAttemptResult)).count == 1)
    }
  }

  @Test func br66RepeatedConsumptionRequestsAreEventsOfTheirOwn() throws {
    let town = try town()
    try town.open("alice")
    try town.buy(.coins, by: "alice")
    for _ in 0..<2 {
      try town.ask(RequestRefund(productId: "com.example.app.coins"), of: town.address(.account, "alice"))
      try town.advance(days: 1)
      try town.ask(DeclineRefund(productId: "com.example.app.coins"), of: town.address(.account, "alice"))
    }
    let asked = try entries(town).filter { $0.notificationType == "CONSUMPTION_REQUEST" }
    #expect(asked.count == 2 && Set(asked.map(\.notificationUUID)).count == 2)
    #expect(asked.allSatisfy { $0.sendAttempts.count == 1 })
  }

  @Test func br67FailedOnesLeaveTheListWhenARetrySucceeds() throws {
    let town = try town()
    try town.open("alice")
    var seen: [Data] = []
    town.answersPost = { post in
      let place = seen.firstIndex(of: post.body)
      if place == nil { seen.append(post.body) }
      // 25 of 45 fail; 10 of these succeed on their retry.
      guard let place else { return .answered(status: seen.count <= 25 ? 500 : 200) }
      return .answered(status: place < 10 ? 200 : 500)
    }
    for _ in 0..<45 { try town.buy(.coins, by: "alice") }
    func failures(_ retry: Bool = false) throws -> [String] {
      var request = GetNotificationHistory(
        startDate: Town.start, endDate: Town.start.advanced(by: 24 * NotificationReportTests.hour), onlyFailures: true)
      var found: [String] = []
      repeat {
        let page = try town.ask(request, of: .notifications(of: Town.world))
        #expect(page.notificationHistory.count <= 20)
        found += page.notificationHistory.map(\.signedPayload)
        request.paginationToken = page.paginationToken
        // A retry succeeds between the pages: the list is live.
        if retry, page.hasMore { try town.advance(minutes: 60) }
      } while request.paginationToken != nil
      return found
    }
    #expect(try failures().count == 25)
    let torn = try failures(true)
    #expect(Set(torn).count == torn.count, "nothing comes twice")
    #expect(try failures().count == 15)
  }

  @Test func br68EveryKindHasExactlyOneOfTheContainers() throws {
    let town = try town()
    try town.open("alice")
    var bodies: [Data] = []
    town.answersPost = { post in
      bodies.append(post.body)
      return .answered(status: 200)
    }
    let token = try town.ask(RequestTestNotification(), of: .notifications(of: Town.world)).testNotificationToken
    try town.buy(.lifetime, by: "alice")
    try town.buy(.monthly, by: "alice")
    for body in bodies {
      let outer = try #require(try JSONSerialization.jsonObject(with: body) as? [String: String])
      let payload = try CompactJWS(Data(try #require(outer["signedPayload"]).utf8)).payloadData
      let object = try #require(try JSONSerialization.jsonObject(with: payload) as? [String: Any])
      #expect(["data", "summary", "externalPurchaseToken", "appData"].filter { object[$0] != nil } == ["data"])
      let data = try #require(object["data"] as? [String: Any])
      let type = object["notificationType"] as? String
      #expect((data["signedTransactionInfo"] != nil) == (type != "TEST"))
      #expect((data["signedRenewalInfo"] != nil) == (type == "SUBSCRIBED"))
      #expect((data["status"] != nil) == (type == "SUBSCRIBED"))
    }
    #expect(bodies.count == 3)
    let status = try town.ask(
      GetTestNotificationStatus(testNotificationToken: token), of: .notifications(of: Town.world))
    #expect(status.sendAttempts.map(\.sendAttemptResult) == [.success])
  }

  @Test func br28MembersAreToldOfForThemselvesAndInAnyOrder() throws {
    let town = try town("Sandbox")
    let members = ["olga", "m1", "m2", "m3", "m4", "m5"]
    for member in members { try town.open(member) }
    try town.ask(CreateFamily(organizer: "olga"), of: town.address(.family, "f"))
    for member in members.dropFirst() {
      try town.ask(JoinFamily(account: member), of: town.address(.family, "f"))
    }
    var payloads: [String] = []
    town.answersPost = { post in
      struct Body: Decodable { var signedPayload: String }
      payloads.append((try? JSONDecoder().decode(Body.self, from: post.body))?.signedPayload ?? "")
      return .answered(status: 200)
    }
    try town.ask(
      SetNotificationFault(NotificationFault(.reorder, count: 6)), of: .notifications(of: Town.world))
    try town.buy(.yearly, by: "olga")
    struct Payload: Decodable {
      struct Data: Decodable { var signedTransactionInfo: String }
      var data: Data
    }
    let transactions = try payloads.map { payload in
      let inner = try JSONDecoder().decode(Payload.self, from: CompactJWS(Data(payload.utf8)).payloadData)
      return try JSONDecoder().decode(
        TransactionPayload.self, from: CompactJWS(Data(inner.data.signedTransactionInfo.utf8)).payloadData)
    }
    #expect(words(try entries(town)) == Array(repeating: "SUBSCRIBED INITIAL_BUY", count: 6))
    #expect(transactions.map(\.inAppOwnershipType) == Array(repeating: .familyShared, count: 5) + [.purchased])
    #expect(Set(transactions.map(\.transactionId)).count == 6)
    #expect(Set(transactions.map(\.originalTransactionId)).count == 6)
    #expect(Set(transactions.compactMap(\.appTransactionId)).count == 6)
  }

  @Test func br16EverySwitchOfAutoRenewIsTold() throws {
    let town = try town("Sandbox")
    try town.open("alice")
    try town.buy(.monthly, by: "alice")
    for on in [false, true, false] {
      try town.ask(
        SetAutoRenew(productId: "com.example.app.monthly", on: on), of: town.address(.account, "alice"))
    }
    try town.advance(days: 60)
    #expect(
      words(try entries(town)).suffix(4) == [
        "DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED", "DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_ENABLED",
        "DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED", "EXPIRED VOLUNTARY",
      ])
  }

  @Test func br110StopWithThousandsUndeliveredGoesOnUnderTheOldIds() throws {
    let town = try town()
    try town.open("alice")
    town.answersPost = { _ in .failed(.socketIssue) }
    for _ in 0..<1_000 { try town.buy(.coins, by: "alice") }
    let before = Set(try entries(town).map(\.notificationUUID))
    try town.restartStore()
    var delivered: Set<Data> = []
    town.answersPost = { post in
      delivered.insert(post.body)
      return .answered(status: 200)
    }
    try town.advance(minutes: 61)
    #expect(delivered.count == 1_000)
    let page = try entries(town)
    #expect(Set(page.map(\.notificationUUID)) == before && page.allSatisfy { $0.state == .delivered })
  }
}
