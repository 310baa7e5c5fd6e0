import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Purchases that wait for the family organiser, and claims of what was bought: every command in every state.
@Suite struct AskToBuyOutcomeTests {
  enum Situation: String, CaseIterable, Sendable {
    case nothing, one, two, approved, declined, expired, ownedMeanwhile
  }

  private static func stage(_ situation: Situation) throws -> AccountStage {
    var stage = try AccountStage(asksToBuy: situation != .ownedMeanwhile)
    guard situation != .nothing else { return stage }
    try stage.buy("private", asks: true)
    switch situation {
    case .nothing, .one: break
    case .two: try stage.buy("coins")
    case .approved, .declined:
      try stage.play(.answerAskToBuy(AnswerAskToBuy(approve: situation == .approved)))
    case .expired: try stage.advance(days: 1)
    case .ownedMeanwhile: try stage.buy("private")
    }
    return stage
  }

  private static let none = ["nothingPending", "nothingPending", "nothingPending", "nothingPending", "nothingPending"]

  static let table: [(Situation, [String])] = [
    (.nothing, none + ["nothing", "askedToBuy"]),
    (
      .one,
      ["purchased", "askToBuyDeclined", "purchased", "nothingPending", "purchased", "askToBuyExpired", "askedToBuy"]
    ),
    (
      .two,
      ["wrongState", "wrongState", "purchased", "nothingPending", "purchased", "askToBuyExpired", "askedToBuy"]
    ),
    (.approved, none + ["nothing", "nothing"]),
    (.declined, none + ["nothing", "askedToBuy"]),
    (.expired, none + ["nothing", "askedToBuy"]),
    (
      .ownedMeanwhile,
      [
        "askToBuyApproved", "askToBuyDeclined", "askToBuyApproved", "nothingPending", "askToBuyApproved",
        "askToBuyExpired", "nothing",
      ]
    ),
  ]

  @Test(arguments: table)
  func everyAnswerHasItsOutcome(row: (Situation, [String])) throws {
    #expect(Set(Self.table.map(\.0)) == Set(Situation.allCases))
    let stage = try Self.stage(row.0)
    let id = stage.state.pending.first?.id ?? "gone"
    let commands: [AccountCommand] = [
      .answerAskToBuy(AnswerAskToBuy(approve: true)), .answerAskToBuy(AnswerAskToBuy(approve: false)),
      .answerAskToBuy(AnswerAskToBuy(approve: true, productId: "private")),
      .answerAskToBuy(AnswerAskToBuy(approve: true, productId: "season")),
      .answerAskToBuy(AnswerAskToBuy(approve: true, askToBuy: id)), .timer(.askToBuy(id)),
      .purchase(Purchase(productId: "private")),
    ]
    #expect(row.1.count == commands.count)
    for (index, command) in commands.enumerated() {
      var copy = stage
      #expect(copy.outcome(command) == row.1[index], "\(row.0) command \(index)")
    }
  }

  // MARK: Claims

  /// Whom a purchase belongs to.
  enum Owner: String, CaseIterable, Sendable {
    case nobody, buyer, claimer, both, familyMember
  }

  private static let ann = UUID()
  private static let ben = UUID()

  private static func stage(_ owner: Owner, _ policy: ClaimPolicy) throws -> AccountStage {
    var stage = try AccountStage()
    stage.world.claimPolicy = owner == .both ? .share : policy
    switch owner {
    case .familyMember:
      try stage.play(.joinFamily("f"))
      try stage.play(.receiveShared(AccountOutcomeTests.item("lifetime", of: "mum")))
    case .nobody, .claimer: try stage.buy("lifetime")
    case .buyer, .both: try stage.buy("lifetime", token: ann)
    }
    let id = try #require(stage.records.last?.transactionId)
    if owner == .claimer { try stage.play(.claim(transactionId: id, appAccountToken: ann)) }
    if owner == .both { try stage.play(.claim(transactionId: id, appAccountToken: ben)) }
    stage.world.claimPolicy = policy
    return stage
  }

  private static let claimColumns = [
    "claim by ann", "claim by ben", "token of ann", "token of ben", "claim of another's",
  ]

  private static func outcomes(_ owner: Owner, _ policy: ClaimPolicy) -> [String] {
    let unknown = ["unknownTransaction"]
    switch owner {
    case .nobody: return ["claimed", "claimed", "appAccountTokenSet", "appAccountTokenSet"] + unknown
    case .buyer:
      return ["nothing", policy == .keep ? "alreadyClaimed" : "claimed", "nothing", "appAccountTokenSet"] + unknown
    case .claimer:
      return ["nothing", policy == .keep ? "alreadyClaimed" : "claimed", "appAccountTokenSet", "appAccountTokenSet"]
        + unknown
    case .both: return ["nothing", "nothing", "nothing", "appAccountTokenSet"] + unknown
    case .familyMember: return ["claimed", "claimed", "notYours", "notYours"] + unknown
    }
  }

  @Test(arguments: Owner.allCases, ClaimPolicy.allCases)
  func everyClaimHasItsOutcome(owner: Owner, policy: ClaimPolicy) throws {
    let stage = try Self.stage(owner, policy)
    let id = try #require(stage.records.last?.transactionId)
    func token(_ user: UUID) -> AccountCommand {
      .setAppAccountToken(SetAppAccountToken(originalTransactionId: id, appAccountToken: user))
    }
    let commands: [AccountCommand] = [
      .claim(transactionId: id, appAccountToken: Self.ann), .claim(transactionId: id, appAccountToken: Self.ben),
      token(Self.ann), token(Self.ben), .claim(transactionId: TransactionID(1), appAccountToken: Self.ann),
    ]
    for (index, expected) in Self.outcomes(owner, policy).enumerated() {
      var copy = stage
      #expect(copy.outcome(commands[index]) == expected, "\(owner) \(policy) \(Self.claimColumns[index])")
    }
  }
}
