import Foundation
import Shared
import Testing
import Wire

@testable import ServerNode

/// The JSON that journals on disk hold. A change here makes old journals unreadable, or needs a reader for both.
@Suite struct StoredJSONTests {
  private static let profile = AccountProfile(
    name: "alice", ordinal: 1, appTransactionId: "700000000000000001", asksToBuy: false)
  private static let profileJSON =
    #"{"appTransactionId":"700000000000000001","asksToBuy":false,"name":"alice","ordinal":1}"#
  private static let token = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  private static let tokenJSON = #""01020304-0506-0708-090A-0B0C0D0E0F10""#
  private static let item = SharedItem(
    id: .init(account: "alice", lineage: TransactionID(7)), record: record, renewalInfo: nil)
  private static let record = TransactionRecord(
    transactionId: TransactionID(7), originalTransactionId: TransactionID(7), productId: "p", type: .nonConsumable,
    purchaseDate: StoreTime(milliseconds: 5), originalPurchaseDate: StoreTime(milliseconds: 5), price: 990,
    currency: "USD", storefront: "USA", appTransactionId: "700")
  private static let recordJSON =
    #"{"appTransactionId":"700","currency":"USD","inAppOwnershipType":"PURCHASED","isFinished":false,"#
    + #""isUpgraded":false,"originalPurchaseDate":5,"originalTransactionId":"7","price":990,"productId":"p","#
    + #""purchaseDate":5,"quantity":1,"recordRevision":1,"storefront":"USA","transactionId":"7","#
    + #""transactionReason":"PURCHASE","type":"Non-Consumable"}"#
  private static let itemJSON = #"{"id":{"account":"alice","lineage":"7"},"record":"# + recordJSON + "}"
  private static let purchaseJSON = #"{"productId":"p","quantity":1,"simulatesAskToBuy":false}"#

  private func check<Value: Codable & Equatable>(_ value: Value, _ json: String) throws {
    #expect(String(decoding: WireJSON.encode(value), as: UTF8.self) == json)
    #expect(try WireJSON.decode(Value.self, from: Data(json.utf8)) == value)
  }

  @Test(arguments: [0, 1, 2], [0, 1, 2]) func whatIsCutOutOfAnEventIsWhatWouldBeWrittenAnew(
    recordCount: Int, infoCount: Int
  ) throws {
    let info = RenewalInfo(
      originalTransactionId: TransactionID(7), subscriptionGroupIdentifier: "g", latestTransactionId: TransactionID(8),
      productId: "p", willAutoRenew: true, status: .subscribed, renewalDate: StoreTime(milliseconds: 9),
      renewalPrice: 990, currency: "USD", recentSubscriptionStartDate: StoreTime(milliseconds: 5),
      appTransactionId: "700")
    let event = AccountEvent(
      .renewed, records: Array(repeating: Self.record, count: recordCount),
      renewalInfos: Array(repeating: info, count: infoCount), finished: [TransactionID(7)])
    let written = event.written
    #expect(written.body == WireJSON.encode(event))
    let update = event.update(sequence: 3, at: StoreTime(milliseconds: 5))
    #expect(
      update.json(records: written.records, renewalInfos: written.renewalInfos) == WireJSON.encode(update))
    if recordCount == 1 { #expect(written.onlyRecord == Data(Self.recordJSON.utf8)) }
  }

  @Test func whatOnlySomeAccountEventsCarryIsATaggedObject() throws {
    try check(AccountEvent.Detail.profile(Self.profile), #"{"kind":"profile","profile":\#(Self.profileJSON)}"#)
    let pending = PendingPurchase(
      id: "ask", purchase: Purchase(productId: "p"), askedAt: StoreTime(milliseconds: 5))
    try check(
      AccountEvent.Detail.askToBuy(pending),
      #"{"kind":"askToBuy","request":{"askedAt":5,"id":"ask","purchase":\#(Self.purchaseJSON)}}"#)
    try check(AccountEvent.Detail.answered(askToBuy: "ask"), #"{"askToBuy":"ask","kind":"answered"}"#)
    try check(AccountEvent.Detail.family("f"), #"{"family":"f","kind":"family"}"#)
    try check(
      AccountEvent.Detail.claim(lineages: [TransactionID(7)], appAccountToken: Self.token),
      #"{"appAccountToken":\#(Self.tokenJSON),"kind":"claim","lineages":["7"]}"#)
    try check(
      AccountEvent.Detail.sharedClaim(lineages: [TransactionID(7)], appAccountToken: Self.token),
      #"{"appAccountToken":\#(Self.tokenJSON),"kind":"sharedClaim","lineages":["7"]}"#)
    try check(AccountEvent.Detail.storefront("DEU"), #"{"kind":"storefront","storefront":"DEU"}"#)
    try check(
      AccountEvent.Detail.billing(productId: "p", fails: true), #"{"fails":true,"kind":"billing","productId":"p"}"#)
    try check(AccountEvent.Detail.billing(productId: nil, fails: false), #"{"fails":false,"kind":"billing"}"#)
    try check(AccountEvent.Detail.interruption(on: true), #"{"kind":"interruption","on":true}"#)
    var interrupted = pending
    interrupted.hasIssue = true
    try check(
      AccountEvent.Detail.askToBuy(interrupted),
      #"{"kind":"askToBuy","request":{"askedAt":5,"hasIssue":true,"id":"ask","purchase":\#(Self.purchaseJSON)}}"#)
    try check(
      AccountEvent.Detail.extension(
        SubscriptionExtension(
          originalTransactionId: TransactionID(7), days: 30, reason: 3, date: StoreTime(milliseconds: 5))),
      #"{"extension":{"date":5,"days":30,"originalTransactionId":"7","reason":3},"kind":"extension"}"#)
    try check(
      AccountEvent.Detail.redemption(RedeemedOffer(productId: "p", offerId: "o")),
      #"{"kind":"redemption","redemption":{"offerId":"o","productId":"p"}}"#)
    try check(
      AccountEvent.Detail.refundRequest(
        RefundRequest(
          transactionId: TransactionID(7), requestedAt: StoreTime(milliseconds: 5), requestReason: .legal,
          answerBy: StoreTime(milliseconds: 9))),
      #"{"answerBy":9,"kind":"refundRequest","requestReason":"LEGAL","requestedAt":5,"transactionId":"7"}"#)
    try check(
      AccountEvent.Detail.consumption(
        of: TransactionID(7), .v1(ConsumptionRequestV1(consumptionStatus: 1, refundPreference: 2))),
      #"{"information":{"consumptionStatus":1,"customerConsented":true,"kind":"v1","refundPreference":2},"#
        + #""kind":"consumption","transactionId":"7"}"#)
    try check(
      AccountEvent.Detail.shareable(lineages: [TransactionID(7)], since: StoreTime(milliseconds: 5)),
      #"{"kind":"shareable","lineages":["7"],"since":5}"#)
    try check(AccountEvent.Detail.refund(of: TransactionID(7)), #"{"kind":"refund","transactionId":"7"}"#)
  }

  @Test func renewalCyclesAreAnObjectKeyedByLineage() throws {
    let cycle = RenewalCycle(anchor: StoreTime(milliseconds: 5), period: try #require(SubscriptionPeriod(1, .month)))
    let event = AccountEvent(.opened, cycles: [TransactionID(7): cycle])
    try check(
      event,
      #"{"cycles":{"7":{"anchor":5,"offerPeriodsLeft":0,"offerPrice":0,"period":"P1M","periods":1,"renewals":0}}}"#)
    let old = #"{"anchor":5,"offerPeriodsLeft":0,"offerPrice":0,"period":"P1M","periods":1}"#
    #expect(try WireJSON.decode(RenewalCycle.self, from: Data(old.utf8)) == cycle)
    var full = cycle
    full.retryEnds = StoreTime(milliseconds: 9)
    full.priceIncrease = PriceIncrease(productId: "p", price: 2, priceBefore: 1, answer: .pending)
    try check(
      full,
      #"{"anchor":5,"offerPeriodsLeft":0,"offerPrice":0,"period":"P1M","periods":1,"priceIncrease":"#
        + #"{"answer":"pending","price":2,"priceBefore":1,"productId":"p"},"renewals":0,"retryEnds":9}"#)
  }

  @Test func worldEventsAreTaggedObjects() throws {
    try check(
      WorldEvent.created(CreateWorld(catalog: "{}", clock: .manual(startsAt: StoreTime(milliseconds: 5)), seed: 3)),
      #"{"kind":"created","settings":{"bundleId":"com.example.app","catalog":"{}","#
        + #""clock":{"kind":"manual","startsAt":5},"environment":"Sandbox","seed":3,"timeRate":"realTime"}}"#)
    try check(
      WorldEvent.accountOpened(Self.profile), #"{"kind":"accountOpened","profile":\#(Self.profileJSON)}"#)
    try check(WorldEvent.clockMoved(to: StoreTime(milliseconds: 9)), #"{"kind":"clockMoved","to":9}"#)
    try check(
      WorldEvent.timeRateChanged(.oneRenewalEveryMinute),
      #"{"kind":"timeRateChanged","timeRate":"oneRenewalEveryMinute"}"#)
    try check(WorldEvent.interruptionChanged(on: true), #"{"kind":"interruptionChanged","on":true}"#)
    try check(
      WorldEvent.habitsChanged(HabitChange(parsing: "lateListing=800,coldStartEmpty").applied(to: Habits())),
      #"{"habits":{"coldStartEmpty":true,"lateListing":800},"kind":"habitsChanged"}"#)
    try check(WorldEvent.resetStarted(at: StoreTime(milliseconds: 9)), #"{"at":9,"kind":"resetStarted"}"#)
    try check(WorldEvent.madeShareable(productId: "p"), #"{"kind":"madeShareable","productId":"p"}"#)
    try check(WorldEvent.resetDone, #"{"kind":"resetDone"}"#)
    try check(
      WorldEvent.notificationURLChanged(.sandbox, NotificationEndpoint(url: "http://a/", timeoutMilliseconds: 5)),
      #"{"endpoint":{"timeoutMilliseconds":5,"url":"http://a/"},"kind":"notificationURLChanged","urlOf":"sandbox"}"#)
    try check(
      WorldEvent.notificationURLChanged(.production, nil), #"{"kind":"notificationURLChanged","urlOf":"production"}"#)
  }

  @Test func notificationEventsAreTaggedObjects() throws {
    try check(
      NotificationsEvent.signed(number: 3, payload: "e.y.J"), #"{"kind":"signed","number":3,"payload":"e.y.J"}"#)
    let attempt = SendAttempt(attemptDate: StoreTime(milliseconds: 5), sendAttemptResult: .timedOut)
    try check(
      NotificationsEvent.attempted(number: 3, attempt, again: StoreTime(milliseconds: 9)),
      #"{"again":9,"attempt":{"attemptDate":5,"sendAttemptResult":"TIMED_OUT"},"kind":"attempted","number":3}"#)
    try check(
      NotificationsEvent.due([3, 4], at: StoreTime(milliseconds: 9)), #"{"at":9,"kind":"due","numbers":[3,4]}"#)
    try check(
      NotificationsEvent.faultChanged(NotificationFault(.drop, count: 2)),
      #"{"fault":{"count":2,"kind":"drop"},"kind":"faultChanged"}"#)
    try check(NotificationsEvent.faultChanged(nil), #"{"kind":"faultChanged"}"#)
    let test = OpenNotification(
      number: 1, uuid: UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)),
      content: StoreNotification(.test), account: nil, at: StoreTime(milliseconds: 5), lane: "")
    try check(
      NotificationsEvent.noted(test, .send, fault: .duplicate, releases: false),
      #"{"fault":"duplicate","kind":"noted","notification":{"at":5,"attempts":[],"content":{"type":"TEST"},"#
        + #""customer":0,"hasWaited":false,"isDropped":false,"lane":"","number":1,"payloadSequence":0,"repeats":0,"#
        + #""since":5,"type":"TEST","uuid":"00010203-0405-0607-0809-0A0B0C0D0E0F"},"placement":"send","#
        + #""releases":false}"#)
  }

  @Test func familyEventsAreTaggedObjects() throws {
    try check(FamilyEvent.created(organizer: "alice"), #"{"kind":"created","organizer":"alice"}"#)
    try check(FamilyEvent.seatReserved(account: "bob"), #"{"account":"bob","kind":"seatReserved"}"#)
    try check(FamilyEvent.seatReleased(account: "bob"), #"{"account":"bob","kind":"seatReleased"}"#)
    try check(FamilyEvent.memberJoined(account: "bob"), #"{"account":"bob","kind":"memberJoined"}"#)
    try check(FamilyEvent.memberLeft(account: "bob"), #"{"account":"bob","kind":"memberLeft"}"#)
    try check(FamilyEvent.itemChanged(Self.item), #"{"item":\#(Self.itemJSON),"kind":"itemChanged"}"#)
    try check(
      FamilyEvent.itemWithdrawn(Self.item.id), #"{"id":{"account":"alice","lineage":"7"},"kind":"itemWithdrawn"}"#)
    try check(
      FamilyEvent.sharingChanged(account: "bob", productId: "p", on: false),
      #"{"account":"bob","kind":"sharingChanged","on":false,"productId":"p"}"#)
    try check(
      FamilyEvent.storefrontChanged(account: "bob", storefront: "DEU"),
      #"{"account":"bob","kind":"storefrontChanged","storefront":"DEU"}"#)
    try check(
      FamilyEvent.storefrontChanged(account: "bob", storefront: nil), #"{"account":"bob","kind":"storefrontChanged"}"#)
    try check(
      FamilyEvent.grantScheduled(Self.item.id, at: StoreTime(milliseconds: 5)),
      #"{"at":5,"id":{"account":"alice","lineage":"7"},"kind":"grantScheduled"}"#)
    try check(
      FamilyEvent.grantDue(Self.item.id), #"{"id":{"account":"alice","lineage":"7"},"kind":"grantDue"}"#)
    try check(
      FamilyEvent.appHidden(account: "bob", hidden: true), #"{"account":"bob","hidden":true,"kind":"appHidden"}"#)
    try check(FamilyEvent.purchaseSharingChanged(on: false), #"{"kind":"purchaseSharingChanged","on":false}"#)
  }

  @Test func effectsOfActorsOnEachOtherAreTaggedObjects() throws {
    try check(StoreEffect.open(Self.profile), #"{"kind":"open","profile":\#(Self.profileJSON)}"#)
    try check(StoreEffect.askToJoin(family: "f"), #"{"family":"f","kind":"askToJoin"}"#)
    try check(StoreEffect.tellLeft(family: "f"), #"{"family":"f","kind":"tellLeft"}"#)
    try check(StoreEffect.share(Self.item), #"{"item":\#(Self.itemJSON),"kind":"share"}"#)
    try check(
      StoreEffect.unshare(Self.item.id, reason: 1),
      #"{"id":{"account":"alice","lineage":"7"},"kind":"unshare","reason":1}"#)
    try check(
      StoreEffect.joinAnswered(account: "bob", refusal: nil, items: [], storefront: nil),
      #"{"account":"bob","items":[],"kind":"joinAnswered"}"#)
    try check(
      StoreEffect.joinAnswered(
        account: "bob", refusal: .refused(.alreadyInFamily, "no"), items: [], storefront: nil),
      #"{"account":"bob","items":[],"kind":"joinAnswered","#
        + #""refusal":{"code":"refused","message":"no","refusal":"alreadyInFamily"}}"#)
    try check(
      StoreEffect.joinAnswered(account: "bob", refusal: nil, items: [], storefront: "DEU"),
      #"{"account":"bob","items":[],"kind":"joinAnswered","storefront":"DEU"}"#)
    try check(
      StoreEffect.storefrontChanged(account: "bob", storefront: "DEU"),
      #"{"account":"bob","kind":"storefrontChanged","storefront":"DEU"}"#)
    try check(StoreEffect.madeShareable(productId: "p"), #"{"kind":"madeShareable","productId":"p"}"#)
    try check(
      StoreEffect.notify(StoreNotification(.test)), #"{"kind":"notify","notification":{"type":"TEST"}}"#)
    try check(StoreEffect.memberReset(account: "bob"), #"{"account":"bob","kind":"memberReset"}"#)
    try check(StoreEffect.itemChanged(Self.item), #"{"item":\#(Self.itemJSON),"kind":"itemChanged"}"#)
    try check(
      StoreEffect.itemWithdrawn(Self.item.id), #"{"id":{"account":"alice","lineage":"7"},"kind":"itemWithdrawn"}"#)
    try check(
      TimedEffect(at: StoreTime(milliseconds: 5), effect: .askToJoin(family: "f")),
      #"{"at":5,"effect":{"family":"f","kind":"askToJoin"}}"#)
    let entitlement = UserEntitlement(account: "alice", record: Self.record, info: nil)
    try check(
      StoreEffect.entitlement(EntitlementChanged(entitlement: entitlement, removed: false)),
      #"{"change":{"entitlement":{"account":"alice","originalTransactionId":"7","ownership":"PURCHASED","#
        + #""productId":"p","quantity":1,"recordRevision":1,"status":"active","transactionId":"7","#
        + #""type":"Non-Consumable"},"removed":false},"kind":"entitlement"}"#)
  }

  @Test func anUnknownKindIsAnErrorThatNamesIt() {
    #expect {
      try WireJSON.decode(WorldEvent.self, from: Data(#"{"kind":"moonlanding"}"#.utf8))
    } throws: { "\($0)".contains("kind") && "\($0)".contains("moonlanding") }
  }
}
