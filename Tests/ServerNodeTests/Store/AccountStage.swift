import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// One account without anything around it: commands in, events out.
struct AccountStage {
  private(set) var state = AccountState()
  var now: StoreTime
  var world: WorldSettings
  private var requests: UInt64 = 0

  init(
    _ name: String = "alice", ordinal: UInt64 = 1, asksToBuy: Bool = false,
    at now: StoreTime = StoreTime(milliseconds: 1_767_225_600_000), timeRate: TimeRate = .realTime,
    gracePeriod: GracePeriod? = nil, catalog: String = AccountStage.catalog
  ) throws {
    self.now = now
    world = WorldSettings(
      world: "w", catalog: try Catalog(data: Data(catalog.utf8), file: "test"), bundleId: "com.example.app",
      environment: "Sandbox", timeRate: timeRate, gracePeriod: gracePeriod, offersKey: AccountStage.offersKey)
    try play(
      .open(AccountProfile(name: name, ordinal: ordinal, appTransactionId: "7\(ordinal)", asksToBuy: asksToBuy)))
  }

  /// Decides and evolves, through the JSON that the journal keeps.
  @discardableResult
  mutating func play(_ command: AccountCommand) throws(WireError) -> AccountDecision {
    requests += 1
    let id = RequestID(UUID(uuidString: "00000000-0000-4000-8000-\(String(format: "%012d", requests))") ?? UUID())
    let decision = try state.decide(command, in: StoreContext(now: now, world: world, request: id))
    for event in decision.events {
      do {
        let stored = try AccountEvent.decode(kind: event.kind, body: event.json)
        #expect(event.json == WireJSON.encode(event), "what is written directly is what Codable gives")
        #expect(stored == event)
        state.evolve(stored)
      } catch { throw WireError(.internalError, "\(error)") }
    }
    if let refusal = decision.refusal { throw refusal }
    return decision
  }

  /// The name of what came of a command: its events, or the refusal.
  mutating func outcome(_ command: AccountCommand) -> String {
    do {
      let decision = try play(command)
      let names = decision.events.map(\.kind.rawValue)
      return names.isEmpty ? "nothing" : names.joined(separator: " ")
    } catch { return error.refusal?.rawValue ?? error.code.rawValue }
  }

  @discardableResult
  mutating func buy(
    _ product: String, quantity: Int = 1, token: UUID? = nil, asks: Bool = false
  ) throws(WireError) -> AccountDecision {
    try play(
      .purchase(Purchase(productId: product, quantity: quantity, appAccountToken: token, simulatesAskToBuy: asks)))
  }

  mutating func billing(fails: Bool, of product: String? = nil) throws(WireError) {
    try play(.setBilling(SetBilling(productId: product, fails: fails)))
  }

  /// Plays every timer up to a time, each at its own.
  mutating func advance(to end: StoreTime) throws {
    while let next = state.timers.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }), next.value <= end {
      now = next.value
      try play(.timer(try #require(AccountTimer(name: next.key))))
      #expect(state.timers[next.key].map { $0 > now } ?? true, "a timer that was played is not due again")
    }
    now = end
  }

  mutating func advance(days: Int64) throws { try advance(to: now.advanced(by: days * 86_400_000)) }

  var entitled: [String] { state.history.currentEntitlements().map(\.productId).sorted() }
  var records: [TransactionRecord] { state.history.records }
  func info(_ group: String = "G1") -> RenewalInfo? { state.ownSubscription(inGroup: group) }

  var status: SubscriptionStatus? { info()?.status }

  /// With which the app's server signs.
  static let offersKey = try? OffersKey.generate(id: "ABCDE12345")

  static func date(_ text: String) throws -> StoreTime { StoreTime(try Date(text, strategy: .iso8601)) }

  /// Two tiers of one group with every kind of introductory offer, a second group, and one product of each other type.
  static let catalog = """
    {
      "identifier": "TEST", "settings": {"_storefront": "USA", "_locale": "en_US"},
      "version": {"major": 4, "minor": 0},
      "products": [
        {"type": "Consumable", "productID": "coins", "internalID": "1", "displayPrice": "0.99",
         "referenceName": "Coins", "familyShareable": false, "localizations": []},
        {"type": "NonConsumable", "productID": "lifetime", "internalID": "2", "displayPrice": "49.99",
         "referenceName": "Lifetime", "familyShareable": true, "localizations": []},
        {"type": "NonConsumable", "productID": "private", "internalID": "3", "displayPrice": "4.99",
         "referenceName": "Private", "familyShareable": false, "localizations": []}
      ],
      "nonRenewingSubscriptions": [
        {"type": "NonRenewingSubscription", "productID": "season", "internalID": "4", "displayPrice": "9.99",
         "referenceName": "Season", "familyShareable": false, "localizations": []}
      ],
      "subscriptionGroups": [
        {"id": "G1", "name": "Main", "localizations": [], "subscriptions": [
          {"type": "RecurringSubscription", "productID": "pro.monthly", "internalID": "11", "displayPrice": "9.99",
           "referenceName": "a", "familyShareable": true, "groupNumber": 1, "subscriptionGroupID": "G1",
           "recurringSubscriptionPeriod": "P1M", "localizations": [],
           "codeOffers": [
             {"internalID": "51", "referenceName": "NEW", "paymentMode": "free", "numberOfPeriods": 1,
              "subscriptionPeriod": "P1M", "eligibility": ["new"]},
             {"internalID": "52", "referenceName": "EXISTING", "paymentMode": "payUpFront", "numberOfPeriods": 1,
              "subscriptionPeriod": "P1Y", "displayPrice": "29.99", "eligibility": ["existing"]},
             {"internalID": "53", "referenceName": "EXPIRED", "paymentMode": "payAsYouGo", "numberOfPeriods": 2,
              "subscriptionPeriod": "P1M", "displayPrice": "2.99", "eligibility": ["expired"]}],
           "adHocOffers": [
             {"internalID": "41", "offerID": "promo.free", "paymentMode": "free", "numberOfPeriods": 1,
              "subscriptionPeriod": "P1M"},
             {"internalID": "42", "offerID": "promo.front", "paymentMode": "payUpFront", "numberOfPeriods": 1,
              "subscriptionPeriod": "P6M", "displayPrice": "19.99"},
             {"internalID": "43", "offerID": "promo.pay", "paymentMode": "payAsYouGo", "numberOfPeriods": 2,
              "subscriptionPeriod": "P1M", "displayPrice": "1.99"}],
           "winbackOffers": [
             {"internalID": "31", "offerID": "return.free", "paymentMode": "free", "numberOfPeriods": 1,
              "subscriptionPeriod": "P1M", "isEligible": true},
             {"internalID": "32", "offerID": "not.for.you", "paymentMode": "free", "numberOfPeriods": 1,
              "subscriptionPeriod": "P1Y", "isEligible": false}]},
          {"type": "RecurringSubscription", "productID": "pro.yearly", "internalID": "12", "displayPrice": "99.99",
           "referenceName": "b", "familyShareable": true, "groupNumber": 1, "subscriptionGroupID": "G1",
           "recurringSubscriptionPeriod": "P1Y", "localizations": [], "adHocOffers": [],
           "codeOffers": [
             {"internalID": "54", "referenceName": "AFTER", "paymentMode": "payUpFront", "numberOfPeriods": 1,
              "subscriptionPeriod": "P1Y", "displayPrice": "49.99", "eligibility": ["new", "existing"],
              "isStackable": true},
             {"internalID": "55", "referenceName": "INSTEAD", "paymentMode": "payUpFront", "numberOfPeriods": 1,
              "subscriptionPeriod": "P1Y", "displayPrice": "39.99", "eligibility": ["new", "existing"],
              "isStackable": false}],
           "introductoryOffer": {"internalID": "21", "paymentMode": "free", "numberOfPeriods": 1,
             "subscriptionPeriod": "P1W"}},
          {"type": "RecurringSubscription", "productID": "pro.other", "internalID": "13", "displayPrice": "8.99",
           "referenceName": "c", "familyShareable": false, "groupNumber": 1, "subscriptionGroupID": "G1",
           "recurringSubscriptionPeriod": "P1M", "localizations": [], "codeOffers": [], "adHocOffers": []},
          {"type": "RecurringSubscription", "productID": "basic.monthly", "internalID": "14", "displayPrice": "4.99",
           "referenceName": "d", "familyShareable": true, "groupNumber": 2, "subscriptionGroupID": "G1",
           "recurringSubscriptionPeriod": "P1M", "localizations": [],
           "codeOffers": [
             {"internalID": "56", "referenceName": "LOWER", "paymentMode": "free", "numberOfPeriods": 1,
              "subscriptionPeriod": "P1M"}],
           "adHocOffers": [
             {"internalID": "44", "offerID": "promo.lower", "paymentMode": "free", "numberOfPeriods": 1,
              "subscriptionPeriod": "P1M"}],
           "introductoryOffer": {"internalID": "22", "paymentMode": "payAsYouGo", "numberOfPeriods": 3,
             "subscriptionPeriod": "P1M", "displayPrice": "0.99"}},
          {"type": "RecurringSubscription", "productID": "basic.yearly", "internalID": "16", "displayPrice": "39.99",
           "referenceName": "f", "familyShareable": true, "groupNumber": 2, "subscriptionGroupID": "G1",
           "recurringSubscriptionPeriod": "P1Y", "localizations": [], "codeOffers": [], "adHocOffers": [],
           "winbackOffers": [
             {"internalID": "33", "offerID": "return.cheap", "paymentMode": "payUpFront", "numberOfPeriods": 1,
              "subscriptionPeriod": "P1Y", "displayPrice": "9.99", "isEligible": true}]}
        ]},
        {"id": "G2", "name": "Other", "localizations": [], "subscriptions": [
          {"type": "RecurringSubscription", "productID": "news.weekly", "internalID": "15", "displayPrice": "1.99",
           "referenceName": "e", "familyShareable": false, "groupNumber": 1, "subscriptionGroupID": "G2",
           "recurringSubscriptionPeriod": "P1W", "localizations": [], "codeOffers": [], "adHocOffers": [],
           "introductoryOffer": {"internalID": "23", "paymentMode": "payUpFront", "numberOfPeriods": 1,
             "subscriptionPeriod": "P2M", "displayPrice": "2.99"}}
        ]}
      ]
    }
    """
}
