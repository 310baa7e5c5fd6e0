import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Random lives of one account without a node. A failing seed is the test's argument.
@Suite struct AccountPropertyTests {
  private static let products = [
    "coins", "lifetime", "private", "season", "pro.monthly", "pro.yearly", "pro.other", "basic.monthly", "news.weekly",
    "none",
  ]

  @Test(arguments: UInt64(1)...20, [TimeRate.realTime, .monthlyRenewalEveryHour])
  func everyCommandLeavesASoundAccount(seed: UInt64, rate: TimeRate) throws {
    var random = SplitMix64(seed: seed)
    var stage = try AccountStage(asksToBuy: seed % 3 == 0, timeRate: rate)
    var seen: [TransactionID: TransactionRecord] = [:]
    for _ in 0..<250 {
      let before = stage.state
      if Int.random(in: 0..<4, using: &random) == 0 {
        let milliseconds = Int64.random(in: 0...(rate == .realTime ? 45 * 86_400_000 : 2 * 3_600_000), using: &random)
        try stage.advance(to: stage.now.advanced(by: milliseconds))
      } else {
        let command = AccountPropertyTests.command(&random, stage)
        if (try? stage.play(command)) == nil { #expect(stage.state == before, "a refusal changes nothing") }
      }
      check(stage, seed, &seen)
    }
    #expect(stage.records.count > 2)
  }

  private static func command(_ random: inout SplitMix64, _ stage: AccountStage) -> AccountCommand {
    let product = products.randomElement(using: &random) ?? ""
    let on = Bool.random(using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<5:
      let quantity = Int.random(in: 0...11, using: &random)
      return .purchase(Purchase(productId: product, quantity: on ? 1 : quantity, appAccountToken: random.uuid()))
    case 5: return .refund(Refund(productId: product, reason: Int.random(in: 0...2, using: &random)))
    case 6: return .setAutoRenew(SetAutoRenew(productId: product, on: on))
    case 7: return .answerAskToBuy(AnswerAskToBuy(approve: on, productId: product))
    case 8: return .finish(Finish(transactionIds: stage.records.suffix(3).map(\.transactionId)))
    case 9: return on ? .joinFamily("f") : .leaveFamily("f")
    case 10:
      let item = try? AccountOutcomeTests.item(on ? "lifetime" : "pro.monthly", of: "mum") { owner in
        if product == "coins" { try owner.play(.refund(Refund(productId: on ? "lifetime" : "pro.monthly"))) }
      }
      guard let item else { return .leaveFamily("f") }
      return product == "none" ? .loseShared(item.id, reason: 0) : .receiveShared(item)
    default:
      let id = stage.records.randomElement(using: &random)?.transactionId ?? TransactionID(1)
      return .claim(transactionId: id, appAccountToken: random.uuid())
    }
  }

  private func check(_ stage: AccountStage, _ seed: UInt64, _ seen: inout [TransactionID: TransactionRecord]) {
    for record in stage.records {
      if let known = seen[record.transactionId] {
        #expect(record.recordRevision >= known.recordRevision, "seed \(seed)")
        #expect(record.expiresDate == known.expiresDate, "an end date never changes; seed \(seed)")
        #expect(!known.isFinished || record.isFinished, "finished is for ever; seed \(seed)")
        #expect(known.revocation == nil || record.revocation == known.revocation, "seed \(seed)")
        var same = record
        same.isFinished = known.isFinished
        #expect(same == known || record.recordRevision > known.recordRevision, "seed \(seed)")
      }
      seen[record.transactionId] = record
    }
    let own = stage.state.history.currentEntitlements().filter { $0.inAppOwnershipType == .purchased }
    let groups = own.compactMap(\.subscriptionGroupIdentifier)
    #expect(Set(groups).count == groups.count, "one own active subscription per group; seed \(seed)")
    #expect(!own.contains { $0.type == .consumable || $0.revocation != nil || $0.isUpgraded })
    #expect(stage.state.timers.values.allSatisfy { $0 > stage.now }, "seed \(seed)")
    #expect(stage.state.family != nil || stage.state.grants.isEmpty, "seed \(seed)")
    let shared = stage.state.history.currentEntitlements().filter { $0.inAppOwnershipType == .familyShared }
    #expect(stage.state.family != nil || shared.isEmpty, "family access goes with the family; seed \(seed)")
    #expect(Set(stage.state.pending.map(\.purchase.productId)).count == stage.state.pending.count)
  }
}
