import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// A random life of a small fleet's store: the same seed tells the same story, whatever happens to the node meanwhile.
struct StorePlay {
  private static let accounts = ["ann", "ben", "cat", "dan"]
  private static let families = ["f", "g"]
  private static let products = [
    "coins", "lifetime", "private", "season", "pro.monthly", "pro.yearly", "pro.other", "basic.monthly", "news.weekly",
  ]

  private var random: SplitMix64
  let users: [UUID]

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    users = [random.uuid(), random.uuid()]
  }

  /// What is asked and what was answered, one line each.
  mutating func play(_ count: Int, on store: StoreHarness, check: (String) throws -> Void = { _ in }) throws -> [String]
  {
    for name in StorePlay.accounts {
      _ = try ask(OpenAccount(account: name, asksToBuy: name == "dan"), store.worldAddress, store)
    }
    return try (0..<count).map { _ in
      let line = try step(store)
      try check(line)
      return line
    }
  }

  private mutating func step(_ store: StoreHarness) throws -> String {
    let name = StorePlay.accounts.randomElement(using: &random) ?? ""
    let product = StorePlay.products.randomElement(using: &random) ?? ""
    let account = store.account(name)
    let family = store.address(.family, StorePlay.families.randomElement(using: &random) ?? "")
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<34:
      let token = Bool.random(using: &random) ? users.randomElement(using: &random) : nil
      let quantity = product == "coins" ? Int.random(in: 0...11, using: &random) : 1
      return try ask(Purchase(productId: product, quantity: quantity, appAccountToken: token), account, store)
    case 34..<44:
      return try ask(Refund(productId: product, reason: Int.random(in: 0...1, using: &random)), account, store)
    case 44..<52: return try ask(SetAutoRenew(productId: product, on: Bool.random(using: &random)), account, store)
    case 52..<58: return try ask(AnswerAskToBuy(approve: Bool.random(using: &random)), account, store)
    case 58..<63: return try ask(CreateFamily(organizer: name), family, store)
    case 63..<71: return try ask(JoinFamily(account: name), family, store)
    case 71..<75: return try ask(LeaveFamily(account: name), family, store)
    case 75..<79:
      return try ask(SetSharing(account: name, productId: product, on: Bool.random(using: &random)), family, store)
    case 79..<82:
      let product = Bool.random(using: &random) ? nil : product
      return try ask(SetBilling(productId: product, fails: Bool.random(using: &random)), account, store)
    case 82: return try ask(ExtendSubscription(productId: product, days: 30), account, store)
    case 83: return try ask(ReverseRefund(productId: product), account, store)
    case 84, 85:
      // Tokens come late and change; which transactions take one is the store's to say.
      let records = try store.history(of: name).records
      let id = records.randomElement(using: &random)?.transactionId ?? TransactionID(1)
      let token = users.randomElement(using: &random) ?? UUID()
      return try ask(SetAppAccountToken(originalTransactionId: id, appAccountToken: token), account, store)
    case 86:
      guard let jws = try store.copy(of: product, from: name) else { return "nothing to claim" }
      let token = users.randomElement(using: &random) ?? UUID()
      return try ask(Claim(appAccountToken: token, device: "phone"), account, store, attachments: [jws])
    case 87: return try ask(SetStorefront(storefront: Bool.random(using: &random) ? "USA" : "DEU"), account, store)
    case 88: return try ask(SetAppHidden(account: name, hidden: Bool.random(using: &random)), family, store)
    case 89: return try ask(SetPurchaseSharing(on: Bool.random(using: &random)), family, store)
    case 90: return try ask(ResetAccount(), account, store)
    case 91..<94:
      let ids = try store.history(of: name).unfinished.map(\.transactionId)
      return try ask(Finish(transactionIds: Array(ids.prefix(3))), account, store)
    default:
      let days = Int64.random(in: 1...45, using: &random)
      return try ask(AdvanceClock(.by(milliseconds: days * 86_400_000)), store.worldAddress, store)
    }
  }

  private mutating func ask<Message: Request>(
    _ message: Message, _ address: ActorAddress, _ store: StoreHarness, attachments: [Data] = []
  ) throws -> String {
    let id = RequestID(random.uuid())
    let said = "\(address) \(Message.name) \(String(decoding: WireJSON.encode(message), as: UTF8.self))"
    do {
      let reply = try store.ask(message, of: address, id: id, attachments: attachments)
      return said + " -> " + String(decoding: WireJSON.encode(reply), as: UTF8.self)
    } catch let error as WireError { return said + " -> " + error.message }
  }

  /// All that is stored in the end, actor by actor.
  func ending(of store: StoreHarness) throws -> [String: StoredActor] {
    let keys =
      StorePlay.accounts.map { store.account($0) } + StorePlay.families.map { store.address(.family, $0) }
      + users.map { store.address(.user, $0.uuidString.lowercased()) } + [store.worldAddress]
    return Dictionary(uniqueKeysWithValues: try keys.map { ("\($0)", try store.journal.load($0)) })
  }

  // MARK: Invariants

  /// What must be true whenever the store is quiet.
  func check(_ store: StoreHarness) throws {
    var expected: [UUID: Set<TransactionID>] = [:]
    for name in StorePlay.accounts {
      let state = try fold(name, store)
      let history = try store.history(of: name)
      #expect(history == state.history, "the node's \(name) is not the fold of the journal")
      let kept = try store.journal.archived(.all, of: store.account(name)).map { try $0.record() }
      #expect(kept.sorted { $0.transactionId < $1.transactionId } == state.history.records, "the records of \(name)")
      try checkRecords(state, name, store)
      for record in state.history.records {
        for user in state.users(ofLineage: record.originalTransactionId) {
          expected[user, default: []].insert(record.originalTransactionId)
        }
      }
    }
    try checkFamilies(store)
    for user in users {
      let found = try store.entitlements(of: user)
      #expect(Set(found.map(\.originalTransactionId)) == expected[user] ?? [], "\(user)")
      for entitlement in found {
        let state = try fold(entitlement.account, store)
        let record = try #require(state.latest(ofLineage: entitlement.originalTransactionId))
        let info = state.history.renewalInfos[record.originalTransactionId]
        #expect(entitlement == UserEntitlement(account: entitlement.account, record: record, info: info))
      }
    }
    #expect(try store.journal.recover().effects.isEmpty, "every effect was applied")
  }

  private func fold(_ name: String, _ store: StoreHarness) throws -> AccountState {
    var state = AccountState()
    for event in try store.journal.events(of: store.account(name), after: 0, limit: .max) {
      state.evolve(
        try AccountEvent.decode(kind: try #require(AccountEvent.Kind(rawValue: event.name)), body: event.body))
    }
    return state
  }

  func family(_ events: [JournalEvent]) throws -> FamilyState {
    var family = FamilyState()
    for event in events { family.evolve(try JSONDecoder().decode(FamilyEvent.self, from: event.body)) }
    return family
  }

  private func checkRecords(_ state: AccountState, _ name: String, _ store: StoreHarness) throws {
    let records = state.history.records
    let now = try store.ask(DescribeWorld(), of: store.worldAddress).now
    #expect(Set(records.map(\.transactionId)).count == records.count)
    let own = state.history.currentEntitlements().filter { $0.inAppOwnershipType == .purchased }
    let groups = own.compactMap(\.subscriptionGroupIdentifier)
    #expect(Set(groups).count == groups.count, "\(name) has one own active subscription per group")
    let bought = own.filter { $0.type == .nonConsumable }.map(\.productId)
    #expect(Set(bought).count == bought.count, "\(name) owns a product once")
    for info in state.history.renewalInfos.values where info.inAppOwnershipType == .purchased {
      let periods = records.filter { $0.originalTransactionId == info.originalTransactionId }
      for (earlier, later) in zip(periods, periods.dropFirst()) {
        // A renewal that could be charged only after a while begins then.
        if later.transactionReason == .renewal { #expect((earlier.expiresDate ?? now) <= later.purchaseDate) }
        if !earlier.isUpgraded, earlier.revocation == nil {
          #expect(earlier.expiresDate ?? later.purchaseDate <= later.purchaseDate)
        }
      }
      #expect(info.latestTransactionId == periods.last?.transactionId)
      let timers: [SubscriptionStatus: String] = [
        .subscribed: "renewal", .inGracePeriod: "graceEnd", .inBillingRetryPeriod: "retryEnd",
      ]
      for (status, name) in timers {
        #expect((info.status == status) == (state.timers["\(name)/\(info.originalTransactionId)"] != nil))
      }
    }
    #expect(state.timers.values.allSatisfy { $0 > now }, "nothing is due")
    let times = try store.journal.events(of: store.account(name), after: 0, limit: .max).map(\.at)
    #expect(times == times.sorted(), "the journal of \(name) goes forward in time")
  }

  private func checkFamilies(_ store: StoreHarness) throws {
    var shared: [String: [String]] = [:]
    for name in StorePlay.families {
      let family = try family(try store.journal.events(of: store.address(.family, name), after: 0, limit: .max))
      #expect(family.members.count <= FamilyState.mostMembers)
      #expect(family.reserved.isEmpty, "nobody is asked for ever")
      for member in family.members {
        #expect(try fold(member, store).family == name)
        shared[member] = try family.others(than: member).flatMap { owner -> [String] in
          let state = try fold(owner, store)
          guard family.storefronts[owner] == family.storefronts[member] else { return [] }
          return state.history.currentEntitlements().filter { record in
            record.inAppOwnershipType == .purchased && !(family.withheld[owner]?.contains(record.productId) ?? false)
              && (record.type != .nonConsumable || (family.sharesPurchases && !family.hidden.contains(owner)))
              && ["lifetime", "pro.monthly", "pro.yearly", "basic.monthly"].contains(record.productId)
          }.map(\.productId)
        }.sorted()
      }
    }
    for name in StorePlay.accounts {
      let got = try fold(name, store).history.currentEntitlements().filter { $0.inAppOwnershipType == .familyShared }
      #expect(got.map(\.productId).sorted() == shared[name] ?? [], "what \(name) gets from the family")
      #expect(got.allSatisfy { $0.appAccountToken == nil })
    }
  }
}
