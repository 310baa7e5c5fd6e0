import Foundation
import Shared
import Wire

extension MessageExample {
  /// One or more of each message type.
  static let all: [MessageExample] =
    node + world + serverAPI + account + accountCopies + accountControl + subscriptions + offers + family + users
    + notifications
    + device + events
    + errors

  // MARK: Values

  private static let alice = ActorAddress(world: "demo", kind: .account, key: "alice")
  private static let bob = ActorAddress(world: "demo", kind: .account, key: "bob")
  private static let position = AccountPosition(account: alice, epoch: 1, sequence: 2)
  private static let user = UUID(
    uuid: (0x7e, 0x3f, 0xb2, 0x04, 0x94, 0x2c, 0x4a, 0x8e, 0x9c, 0x0e, 0x3d, 0x85, 0x1e, 0x9b, 0x6f, 0x10))
  private static let phone = UUID(
    uuid: (0x3f, 0x25, 0x04, 0xe0, 0x4f, 0x89, 0x41, 0xd3, 0x9a, 0x0c, 0x03, 0x05, 0xe8, 0x2c, 0x33, 0x01))
  private static let requestId = UUID(
    uuid: (0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff))
  private static let newYear = StoreTime(milliseconds: 1_767_225_600_000)
  private static let weekLater = StoreTime(milliseconds: 1_767_830_400_000)
  private static let monthly = "com.example.app.monthly"
  private static let coins = "com.example.app.coins"
  private static let transaction = TransactionID(2_000_000_001_000_001)
  private static let entropy: UInt64 = 7

  private static let lifetimeRecord = TransactionRecord(
    transactionId: transaction, originalTransactionId: transaction, productId: "com.example.app.lifetime",
    type: .nonConsumable, purchaseDate: newYear, originalPurchaseDate: newYear, price: 49_990, currency: "USD",
    storefront: "USA", appTransactionId: "700000000000000001")

  private static let trialOffer = AppliedOffer(
    type: AppliedOffer.introductory, discountType: "FREE_TRIAL", period: "P1W")

  private static let trialRecord: TransactionRecord = {
    var record = TransactionRecord(
      transactionId: transaction, originalTransactionId: transaction, productId: monthly, type: .autoRenewable,
      purchaseDate: newYear, originalPurchaseDate: newYear, price: 0, currency: "USD", storefront: "USA",
      appTransactionId: "700000000000000001")
    record.subscriptionGroupIdentifier = "5E1F00D1"
    record.webOrderLineItemId = "3000000001000001"
    record.expiresDate = weekLater
    record.appAccountToken = user
    record.offer = trialOffer
    return record
  }()

  private static let renewalInfo: RenewalInfo = {
    var info = RenewalInfo(
      originalTransactionId: transaction, subscriptionGroupIdentifier: "5E1F00D1", latestTransactionId: transaction,
      productId: monthly, willAutoRenew: true, status: .subscribed, renewalDate: weekLater, renewalPrice: 4_990,
      currency: "USD", recentSubscriptionStartDate: newYear, appTransactionId: "700000000000000001")
    info.appAccountToken = user
    return info
  }()

  private static let refundedRecord: TransactionRecord = {
    var record = lifetimeRecord
    record.recordRevision = 2
    record.revocation = Revocation(date: weekLater, reason: 1, type: "REFUND_FULL", percentage: 100_000)
    return record
  }()

  private static let entitlement = UserEntitlement(
    account: "alice", originalTransactionId: transaction, transactionId: transaction, recordRevision: 1,
    productId: monthly, type: .autoRenewable, quantity: 1, status: .trial, expiresDate: weekLater,
    ownership: .purchased, willAutoRenew: true)

  private static let purchased = AccountUpdate(
    sequence: 2, name: "purchased", at: newYear, records: [trialRecord], renewalInfos: [renewalInfo],
    cause: .init(request: requestId, device: "phone1"))

  private static let report = DeviceReport(
    device: "phone1", account: "alice", incarnation: 1, online: true, epoch: 1, sequence: 2, unfinished: [transaction],
    updates: [
      SeenUpdate(transactionId: transaction, productId: monthly, recordRevision: 1, revoked: false, unverified: nil)
    ],
    screen: AppScreen(access: .unlocked, entitled: [monthly], phase: "completed"))

  private static let restingReport = DeviceReport(
    device: "phone1", account: "alice", incarnation: nil, online: true, epoch: 1, sequence: 2, unfinished: [],
    updates: [], screen: nil)

  private static let description = WorldDescription(
    world: "demo", bundleId: "com.example.app", environment: "Sandbox", storefront: "USA", currency: "USD", epoch: 1,
    now: newYear, clock: .manual(startsAt: newYear), timeRate: .realTime, rootCertificate: Data([0x30, 0x82, 0x01]),
    catalog: "{\"identifier\":\"D3A0C4E7\"}")

  // MARK: Messages

  private static let node: [MessageExample] =
    exchange(
      Hello(node: "test-1", role: .control, token: "secret"),
      reply: .init(
        node: "server", incarnation: 3, heartbeatMilliseconds: 1_000, eventsEndpoint: "tcp://127.0.0.1:40001",
        devices: 0))
    + request(
      Hello(
        node: "phones-1", role: .client, token: "secret",
        devices: [DeviceRegistration(world: "demo", device: "phone1", account: "alice")]),
      variant: ".client")
    + exchange(
      CheckPositions(positions: [position, AccountPosition(account: bob, epoch: 1, sequence: 5)]),
      reply: .init(stale: [AccountPosition(account: bob, epoch: 1, sequence: 6)]))
    + exchange(
      ListWorlds(), reply: .init(worlds: [WorldEntry(world: "demo"), WorldEntry(world: "test-1")]))
    + exchange(ReportDevices(world: "demo", reports: [restingReport]), reply: Done())

  private static let habits: HabitChange = {
    let text = "documented,coldStartEmpty=on,lateListing=800"
    return (try? HabitChange(parsing: text)) ?? HabitChange()
  }()

  private static let hook = NotificationEndpoint(url: "http://127.0.0.1:8080/notifications", timeoutMilliseconds: 5_000)
  private static let notificationUUID = UUID(
    uuid: (0x5d, 0x1c, 0x9a, 0x77, 0x20, 0x4e, 0x4f, 0x21, 0x8a, 0x6b, 0x0d, 0x4e, 0x9f, 0x2b, 0x7c, 0x35))
  private static let attempt = SendAttempt(attemptDate: newYear, sendAttemptResult: .success)
  private static let renewed = NotificationEntry(
    number: 7, notificationUUID: notificationUUID, notificationType: "DID_RENEW", subtype: "BILLING_RECOVERY",
    account: "alice", at: newYear, state: .delivered, sendAttempts: [attempt])

  private static let notifications: [MessageExample] =
    exchange(SetNotificationURL(hook), reply: Done())
    + request(SetNotificationURL(nil, kind: .production), variant: ".none")
    + exchange(RequestTestNotification(), reply: .init(testNotificationToken: "5d1c9a77-204e-4f21-8a6b-0d4e9f2b7c35_1"))
    + exchange(
      GetTestNotificationStatus(testNotificationToken: "5d1c9a77-204e-4f21-8a6b-0d4e9f2b7c35_1"),
      reply: NotificationHistoryItem(signedPayload: "eyJh…", sendAttempts: [attempt]))
    + exchange(
      GetNotificationHistory(
        startDate: newYear, endDate: weekLater, notificationType: "EXPIRED", notificationSubtype: "VOLUNTARY",
        onlyFailures: true),
      reply: .init(
        notificationHistory: [NotificationHistoryItem(signedPayload: "eyJh…", sendAttempts: [attempt])],
        hasMore: true, paginationToken: "MjAuNw=="))
    + request(
      GetNotificationHistory(
        startDate: newYear, endDate: weekLater, transactionId: transaction.description, paginationToken: "MjAuNw=="),
      variant: ".customer")
    + exchange(ListNotifications(after: 6, limit: 1), reply: .init(notifications: [renewed], hasMore: true))
    + exchange(SetNotificationFault(NotificationFault(.drop, count: 2)), reply: Done())
    + request(
      SetNotificationFault(NotificationFault(.delay, percent: 20, delayMilliseconds: 3_600_000)), variant: ".delay")
    + [MessageExample("attempted.event", renewed)]

  private static let world: [MessageExample] =
    exchange(
      CreateWorld(catalog: "{\"identifier\":\"D3A0C4E7\"}", clock: .manual(startsAt: newYear), seed: entropy),
      reply: description)
    + request(CreateWorld(catalog: "{\"identifier\":\"D3A0C4E7\"}"), variant: ".real")
    + request(
      CreateWorld(
        catalog: "{\"identifier\":\"D3A0C4E7\"}", timeRate: .monthlyRenewalEveryFiveMinutes,
        gracePeriod: GracePeriod(.sixteenDays)),
      variant: ".grace")
    + request(
      CreateWorld(catalog: "{\"identifier\":\"D3A0C4E7\"}", claimPolicy: .transfer, familyGrantDelay: 3_600_000),
      variant: ".users")
    + exchange(ResetWorld(), reply: Done())
    + request(
      CreateWorld(catalog: "{\"identifier\":\"D3A0C4E7\"}", habits: habits), variant: ".habits")
    + request(
      CreateWorld(catalog: "{\"identifier\":\"D3A0C4E7\"}", notificationURLs: NotificationURLs(production: hook)),
      variant: ".notifications")
    + exchange(SetHabits(habits), reply: Done())
    + exchange(HabitsChanged(habits: habits.applied(to: Habits()), epoch: 1, sequence: 9), reply: Done())
    + exchange(SetFamilyShareable(productId: "com.example.app.lifetime"), reply: Done())
    + exchange(
      ListAccounts(),
      reply: .init(accounts: [
        AccountEntry(account: "alice", asksToBuy: false, storefront: nil),
        AccountEntry(account: "aunt", asksToBuy: false, storefront: "DEU"),
      ]))
    + exchange(SetTimeRate(.oneRenewalEveryTenSeconds), reply: Done())
    + exchange(
      ChangeWorld(storefront: "DEU", locale: "de_DE", gracePeriodDays: 16, asksToBuy: true, clock: .manual),
      reply: Done())
    + exchange(DescribeWorld(), reply: description)
    + exchange(OpenAccount(account: "alice"), reply: Done())
    + request(OpenAccount(account: "aunt", storefront: "DEU"), variant: ".storefront")
    + exchange(AdvanceClock(.by(milliseconds: 604_800_000)), reply: .init(now: weekLater))
    + request(AdvanceClock(.to(weekLater)), variant: ".to")
    + request(AdvanceClock(.nextEvent), variant: ".nextEvent")
    + exchange(
      ListDevices(),
      reply: .init(devices: [
        DeviceEntry(device: "phone1", account: "alice", node: "phones-1", position: position, report: nil)
      ]))
    + exchange(Settle(), reply: .init(now: newYear))
    + reply(to: Settle.self, .init(now: newYear, unheard: ["pad"]), variant: ".unheard")
    + exchange(GetProducts(ids: [monthly, "unknown"]), reply: products)

  private static let products: GetProducts.Reply = {
    let english = ProductLocalization(locale: "en_US", displayName: "Premium", description: "All tools.")
    let trial = SubscriptionPeriod(1, .week).map {
      SubscriptionOffer(
        id: nil, kind: .introductory, referenceName: nil, paymentMode: .freeTrial, period: $0, periodCount: 1,
        priceMilliunits: 0)
    }
    let terms = SubscriptionPeriod(1, .month).map {
      SubscriptionTerms(
        groupID: "5E1F00D1", level: 1, period: $0, introductoryOffers: trial.map { [$0] } ?? [], promotionalOffers: [],
        codeOffers: [], winBackOffers: [])
    }
    let product = CatalogProduct(
      id: monthly, type: .autoRenewable, priceMilliunits: 4_990, referenceName: "Premium Monthly",
      isFamilyShareable: true, localizations: [english], subscription: terms)
    return GetProducts.Reply(
      products: [product], groups: ["5E1F00D1": "Premium"], currency: "USD", locale: "en_US")
  }()

  private static let account: [MessageExample] =
    exchange(
      Purchase(productId: monthly, appAccountToken: user, device: "phone1", intendedAt: 81_234_567),
      reply: .init(outcome: .purchased(transaction), position: position))
    + request(Purchase(productId: coins, quantity: 3), variant: ".outside")
    + [
      MessageExample("purchase.existing.reply", Purchase.Reply(outcome: .existing(transaction), position: position)),
      MessageExample(
        "purchase.pending.reply",
        Purchase.Reply(
          outcome: .pending(askToBuy: RequestID(requestId).description), position: position)),
    ]
    + exchange(Finish(transactionIds: [transaction], device: "phone1"), reply: position)
    + exchange(
      CatchUp(epoch: 1, after: 1),
      reply: .init(position: position, content: .events([purchased])))
    + [
      MessageExample(
        "catchUp.snapshot.reply",
        CatchUp.Reply(
          position: position,
          content: .snapshot(TransactionHistory(records: [trialRecord], renewalInfos: [renewalInfo])),
          storefront: "USA"))
    ]
    + exchange(
      GetAppTransaction(device: "phone1", deviceVerificationId: phone),
      reply: .init(appTransactionId: "700000000000000001"))
    + exchange(ResolveIssue(productId: monthly), reply: position)
    + exchange(DeleteTransaction(transactionId: transaction), reply: position)
    + exchange(
      BackdatePurchase(
        Purchase(productId: monthly, appAccountToken: user), purchaseDate: newYear, renewal: .cancelImmediately),
      reply: .init(outcome: .purchased(transaction), position: position))
    + exchange(
      ListPendingPurchases(),
      reply: .init(
        purchases: [
          .init(
            id: "00112233-4455-6677-8899-aabbccddeeff", productId: monthly, quantity: 1, reason: .issue,
            device: "phone1", askedAt: newYear, expires: nil)
        ], nextTransactionId: TransactionID(2_000_000_001_000_003)))
    + exchange(GetIntroEligibility(groups: ["5E1F00D1"]), reply: .init(eligible: ["5E1F00D1": false]))
    + exchange(
      ReadJournal(after: 0, limit: 1_000),
      reply: .init(
        epoch: 1,
        events: [
          ReadJournal.Entry(
            sequence: 1, name: "familyJoined", at: newYear, body: #"{"detail":{"family":"smith","kind":"family"}}"#)
        ]))

  private static let accountCopies: [MessageExample] =
    exchange(
      GetSignedCopies(copies: [
        WantedCopy(subject: .transaction(transaction), device: "phone1", deviceVerificationId: phone),
        WantedCopy(subject: .renewalInfo(transaction), device: nil, deviceVerificationId: nil),
        WantedCopy(subject: .transaction(TransactionID(99)), device: nil, deviceVerificationId: nil),
      ]),
      reply: SignedCopies(revisions: [1, 1, nil]))
    + request(
      GetSignedCopies(
        copies: [WantedCopy(subject: .transaction(transaction), device: nil, deviceVerificationId: nil)],
        fault: .foreignRoot),
      variant: ".fault")

  private static let accountControl: [MessageExample] =
    exchange(Refund(transactionId: transaction, reason: 1), reply: position)
    + request(Refund(productId: monthly), variant: ".product")
    + request(Refund(transactionId: transaction, percentage: 41_935), variant: ".prorated")
    + exchange(AnswerAskToBuy(approve: true, productId: monthly), reply: position)
    + exchange(SetAutoRenew(productId: monthly, on: false), reply: position)
    + exchange(Claim(appAccountToken: user, device: "phone1"), reply: position)
    + exchange(SetAppAccountToken(originalTransactionId: transaction, appAccountToken: user), reply: position)
    + exchange(SetStorefront(storefront: "DEU"), reply: position)
    + exchange(ResetAccount(), reply: position)

  private static let subscriptions: [MessageExample] =
    exchange(SetBilling(productId: monthly, fails: true), reply: position)
    + request(SetBilling(fails: false), variant: ".all")
    + request(SetBilling(fails: false, recovers: false), variant: ".later")
    + exchange(ExpireSubscription(productId: monthly), reply: position)
    + exchange(RenewSubscription(productId: monthly), reply: position)
    + exchange(
      RequestPriceIncrease(productId: monthly, priceMilliunits: 5_990, needsConsent: true), reply: position)
    + exchange(AnswerPriceIncrease(productId: monthly, agree: true), reply: position)
    + exchange(ExtendSubscription(productId: monthly, days: 7, reason: 3), reply: position)
    + request(ExtendSubscription(originalTransactionId: transaction, days: 30, reason: 1), variant: ".lineage")
    + exchange(RequestRefund(productId: monthly), reply: position)
    + request(RequestRefund(transactionId: transaction, reason: .fulfillmentIssue), variant: ".reason")
    + exchange(
      SendConsumptionInformation(
        transactionId: transaction,
        information: .v2(
          ConsumptionRequestV2(consumptionPercentage: 40_000, refundPreference: "GRANT_PRORATED"))),
      reply: position)
    + request(
      SendConsumptionInformation(
        transactionId: transaction,
        information: .v1(ConsumptionRequestV1(consumptionStatus: 3, refundPreference: 2))),
      variant: ".v1")
    + exchange(DeclineRefund(transactionId: transaction), reply: position)
    + exchange(ReverseRefund(transactionId: transaction), reply: position)

  private static let offers: [MessageExample] =
    request(
      Purchase(
        productId: monthly, device: "phone1",
        offer: .promotional(
          PromotionalOfferSignature(
            offerId: "comeback", keyId: "ABCDE12345", nonce: requestId, timestamp: newYear.milliseconds,
            signature: Data([0x30, 0x44, 0x02])))),
      variant: ".promotional")
    + request(
      Purchase(productId: monthly, device: "phone1", offer: .promotionalJWS(offerId: "comeback", jws: "eyJ.eyJ.sig")),
      variant: ".promotionalJWS")
    + request(
      Purchase(productId: monthly, device: "phone1", offer: .introductoryEligibility(jws: "eyJ.eyJ.sig")),
      variant: ".introductoryEligibility")
    + request(
      Purchase(productId: monthly, device: "phone1", offer: .winBack(offerId: "return", priceMilliunits: 990)),
      variant: ".winBack")
    + exchange(
      RedeemCode(productId: monthly, code: "SUMMER"),
      reply: .init(outcome: .purchased(transaction), position: position))
    + request(RedeemCode(productId: monthly, referenceName: "Summer 2026"), variant: ".referenceName")
    + exchange(
      DescribeOfferKeys(),
      reply: .init(
        keyId: "ABCDE12345", privateKey: "-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n"))

  private static let serverAPI: [MessageExample] =
    exchange(
      DescribeAPIKeys(),
      reply: .init(
        keyId: "2X9R4HXF34", issuerId: "57246542-96fe-1a63-e053-0824d011072a",
        privateKey: "-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n", bundleId: "com.example.app",
        environment: "Sandbox", appAppleId: nil, rootCertificate: Data([0x30, 0x82, 0x01]),
        http: "http://127.0.0.1:8080"))
    + exchange(LocateAccount(ordinal: 1), reply: .init(account: "alice"))
    + exchange(
      ExtendAllSubscriptions(
        requestIdentifier: "outage-7", productId: monthly, days: 10, reason: 3, storefronts: ["USA", "DEU"]),
      reply: Done())
    + exchange(
      DescribeExtension(requestIdentifier: "outage-7"),
      reply: .init(
        status: ExtensionStatus(productId: monthly, completed: newYear, succeededCount: 41, failedCount: 1)))
    + exchange(
      GetSubscriptions(),
      reply: .init(subscriptions: [SubscriptionEntry(transaction: trialRecord, renewalInfo: renewalInfo)]))

  private static let family: [MessageExample] =
    exchange(CreateFamily(organizer: "alice"), reply: Done())
    + exchange(JoinFamily(account: "bob"), reply: Done())
    + exchange(LeaveFamily(account: "bob"), reply: Done())
    + exchange(SetSharing(account: "alice", productId: monthly, on: false), reply: Done())
    + exchange(SetAppHidden(account: "alice", hidden: true), reply: Done())
    + exchange(SetPurchaseSharing(on: false), reply: Done())
    + exchange(DescribeFamily(), reply: .init(organizer: "alice", members: ["alice", "bob"]))

  private static let users: [MessageExample] =
    exchange(GetEntitlements(), reply: .init(entitlements: [entitlement]))

  private static let device: [MessageExample] =
    exchange(LaunchDevice(), reply: report)
    + exchange(KillDevice(), reply: restingReport)
    + request(SetOnline(online: false))
    + exchange(TapBuy(productId: monthly, intendedAt: 81_234_567), reply: .init(phase: "completed"))
    + exchange(TapRestore(), reply: .init(outcome: "failed", message: "You are offline."))
    + request(HoldGate(gate: .purchase, held: true))
    + request(HoldGate(gate: .purchase, held: false, count: 1, cancel: true), variant: ".release")
    + request(SetSkew(milliseconds: -7_200_000))
    + request(SignInUser(appAccountToken: user))
    + request(SignInUser(appAccountToken: nil), variant: ".out")
    + request(BreakSync(dropUpdates: 2, catchUp: false))
    + request(TamperCopies(fault: .tampered))
    + request(SendMessage(reason: .billingIssue))
    + request(SendPurchaseIntent(productId: coins))
    + exchange(
      SetSimulatedError(api: .purchase, failure: .offline, times: 2), reply: faultyReport)
    + request(
      SetSimulatedError(api: .verification, failure: .verification(.invalidSignature)), variant: ".verification")
    + request(SetSimulatedError(api: .purchase, failure: .purchase(.ineligibleForOffer)), variant: ".purchase")
    + request(SetSimulatedError(api: .purchase, failure: nil), variant: ".clear")
    + request(SetPurchasesAllowed(allowed: false))
    + request(
      SetNetworkFaults(
        faults: .init(
          latency: .init(from: 200, to: 800), events: .init(drop: 20, duplicate: 5, delay: 5, reorder: 5),
          requests: .init(drop: 10, dropReplies: 10, next: 6), blocked: .events, seed: 7)))
    + request(SetNetworkFaults(faults: nil), variant: ".clear")
    + exchange(
      AllDevices(HoldGate(gate: .entitlements, held: true)), reply: .init(devices: 2, failure: "tv: it is gone"),
      variant: ".world")
    + exchange(SetInterruptedPurchases(on: true), reply: Done())
    + request(InspectDevice())

  private static let faultyReport: DeviceReport = {
    var faulty = restingReport
    faulty.incarnation = 1
    faulty.faults = DeviceFaults(
      gates: [HeldGate(gate: .purchase, waiting: [monthly])],
      errors: [SetSimulatedError(api: .purchase, failure: .offline, times: 2)],
      network: NetworkFaults(latency: .init(from: 200, to: 800)), purchasesAllowed: false, interruptsPurchases: true)
    return faulty
  }()

  private static let events: [MessageExample] = [
    MessageExample("purchased.event", purchased),
    MessageExample(
      "refunded.event",
      AccountUpdate(
        sequence: 4, name: "refunded", at: weekLater, records: [refundedRecord],
        cause: .init(request: requestId, device: nil))),
    MessageExample(
      "finished.event", AccountUpdate(sequence: 3, name: "finished", at: newYear, finished: [transaction])),
    MessageExample("subscribed.event", Done()),
    MessageExample("reset.event", AccountUpdate(sequence: 5, name: "reset", at: weekLater)),
    MessageExample(
      EntitlementChanged.name + ".event", EntitlementChanged(entitlement: entitlement, removed: false)),
    MessageExample(
      HabitsChanged.name + ".event",
      HabitsChanged(habits: habits.applied(to: Habits()), epoch: 1, sequence: 9)),
    MessageExample(ClockMoves.name + ".event", ClockMoves(to: weekLater)),
    MessageExample(ClockMoved.name + ".event", ClockMoved(now: weekLater)),
    MessageExample("report.event", report),
    MessageExample(
      Heartbeat.name + ".event", Heartbeat(node: "server", incarnation: 3, recent: [position], number: 42)),
  ]

  private static let errors: [MessageExample] = [
    MessageExample(
      "error",
      WireError.refused(
        .productUnavailable, "the catalogue of world 'demo' has no product 'com.example.app.typo'")),
    MessageExample(
      "error.helloFirst", WireError(.helloFirst, "say 'hello' first on this connection, then 'purchase' again")),
  ]
}
