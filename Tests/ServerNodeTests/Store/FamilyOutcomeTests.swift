import ServerNode
import Shared
import Testing
import Wire

/// Every command to a family in every state has an outcome: one table.
@Suite struct FamilyOutcomeTests {
  enum Situation: String, CaseIterable, Sendable {
    case none, founding, founded, sharing, waiting, withheld, hidden, purchaseSharingOff, apart, beforeOptIn, full
  }

  private struct Household {
    var state = FamilyState()
    var context: StoreContext

    init(delay: Int64 = 0) throws {
      var world = try AccountStage().world
      world.familyGrantDelay = delay
      context = StoreContext(now: try AccountStage().now, world: world)
    }

    /// The events and effects that came of a command, or the refusal.
    mutating func outcome(_ command: FamilyCommand) -> String {
      do throws(WireError) {
        let decision = try state.decide(command, name: "f", in: context)
        for event in decision.events { state.evolve(event) }
        let names = decision.events.map(\.name) + decision.effects.map(FamilyOutcomeTests.name)
        return names.isEmpty ? (decision.awaitsAnswer ? "asked" : "nothing") : names.joined(separator: " ")
      } catch { return error.refusal?.rawValue ?? error.code.rawValue }
    }

    mutating func play(_ commands: FamilyCommand...) {
      for command in commands { _ = outcome(command) }
    }

    mutating func join(_ accounts: String..., items: [SharedItem] = []) {
      for account in accounts {
        play(.join(account: account), .joinAnswered(account: account, joins: true, items: items, storefront: nil))
      }
    }
  }

  private static func name(_ effect: FamilyEffect) -> String {
    switch effect {
    case .askToJoin: "→ask"
    case .tellLeft: "→left"
    case .share: "→share"
    case .unshare: "→unshare"
    }
  }

  private static func item(_ product: String = "lifetime", since: StoreTime? = nil) throws -> SharedItem {
    var item = try AccountOutcomeTests.item(product, of: "mum")
    item.shareableSince = since
    return item
  }

  private static func household(_ situation: Situation) throws -> Household {
    var home = try Household(delay: situation == .waiting ? 3_600_000 : 0)
    guard situation != .none else { return home }
    home.play(.create(organizer: "mum"))
    guard situation != .founding else { return home }
    home.play(.joinAnswered(account: "mum", joins: true, items: [], storefront: nil))
    home.join("kid")
    guard situation != .founded else { return home }
    let item = try item(
      situation == .beforeOptIn ? "pro.monthly" : "lifetime", since: situation == .beforeOptIn ? home.context.now : nil)
    home.play(.itemChanged(item))
    switch situation {
    case .withheld: home.play(.setSharing(account: "mum", productId: "lifetime", on: false))
    case .hidden: home.play(.setAppHidden(account: "mum", hidden: true))
    case .purchaseSharingOff: home.play(.setPurchaseSharing(on: false))
    case .apart: home.play(.storefrontChanged(account: "kid", storefront: "DEU"))
    case .full: home.join("a", "b", "c", "d")
    default: break
    }
    return home
  }

  private static let columns = [
    "create", "createByOther", "join", "joinAgain", "leave", "leaveStranger", "share", "stop", "hide", "show",
    "sharingOff", "sharingOn", "move", "back", "itemGone", "reset", "leaveMember", "resetMember", "lateAnswer", "grant",
  ]

  private static func row(
    _ changes: [String: String], _ more: [String: String] = [:], ending members: Int = 2
  ) -> [String: String] {
    let gone = String(repeating: "memberLeft ", count: members) + "ended"
    func told(_ count: Int) -> String { String(repeating: " →left", count: count) }
    let usual = [
      "create": "nothing", "createByOther": "alreadyExists", "join": "seatReserved →ask", "joinAgain": "nothing",
      "leave": gone + told(members), "leaveStranger": "notInFamily", "share": "nothing", "stop": "sharingChanged",
      "hide": "appHidden", "show": "nothing", "sharingOff": "purchaseSharingChanged", "sharingOn": "nothing",
      "move": "storefrontChanged", "back": "nothing", "itemGone": "nothing", "reset": gone + told(members - 1),
      "leaveMember": "memberLeft →left", "resetMember": "memberLeft", "lateAnswer": "→left", "grant": "nothing",
    ]
    return usual.merging(more) { _, new in new }.merging(changes) { _, new in new }
  }

  private static func all(_ outcome: String, but changes: [String: String]) -> [String: String] {
    Dictionary(uniqueKeysWithValues: columns.map { ($0, outcome) }).merging(changes) { _, new in new }
  }

  /// What the kid had goes with each of these.
  private static let lost = [
    "stop": "sharingChanged →unshare", "hide": "appHidden →unshare",
    "sharingOff": "purchaseSharingChanged →unshare", "move": "storefrontChanged →unshare",
    "itemGone": "itemWithdrawn →unshare",
  ]
  private static let itemThatIsNotShared = ["itemGone": "itemWithdrawn"]

  static let table: [(Situation, [String: String])] = [
    (
      .none,
      all(
        "unknownAddress",
        but: [
          "create": "created →ask", "createByOther": "created →ask", "move": "nothing", "back": "nothing",
          "itemGone": "nothing", "reset": "nothing", "resetMember": "nothing", "lateAnswer": "→left",
          "grant": "nothing",
        ])
    ),
    (
      .founding,
      row([
        "create": "asked", "joinAgain": "seatReserved →ask", "leave": "notInFamily", "stop": "notInFamily",
        "share": "notInFamily", "hide": "notInFamily", "show": "notInFamily", "move": "nothing", "reset": "nothing",
        "leaveMember": "notInFamily", "resetMember": "nothing",
      ])
    ),
    (.founded, row([:])),
    (.sharing, row(lost)),
    (.waiting, row(itemThatIsNotShared)),
    (.withheld, row(["share": "sharingChanged →share", "stop": "nothing"], itemThatIsNotShared)),
    (.hidden, row(["hide": "nothing", "show": "appHidden →share"], itemThatIsNotShared)),
    (
      .purchaseSharingOff,
      row(["sharingOff": "nothing", "sharingOn": "purchaseSharingChanged →share"], itemThatIsNotShared)
    ),
    (.apart, row(["move": "nothing", "back": "storefrontChanged →share"], itemThatIsNotShared)),
    (.beforeOptIn, row(["share": "sharingChanged →share"], itemThatIsNotShared)),
    (
      .full,
      row(
        ["join": "familyFull", "move": "storefrontChanged →unshare"],
        lost.mapValues { $0 + String(repeating: " →unshare", count: 4) },
        ending: 6)
    ),
  ]

  @Test(arguments: table)
  func everyCommandHasItsOutcome(row: (Situation, [String: String])) throws {
    #expect(Set(Self.table.map(\.0)) == Set(Situation.allCases))
    let home = try Self.household(row.0)
    let product = row.0 == .beforeOptIn ? "pro.monthly" : "lifetime"
    let item = try Self.item(product)
    let commands: [String: FamilyCommand] = [
      "create": .create(organizer: "mum"), "createByOther": .create(organizer: "zoe"),
      "join": .join(account: "new"), "joinAgain": .join(account: "kid"), "leave": .leave(account: "mum"),
      "leaveStranger": .leave(account: "zoe"),
      "share": .setSharing(account: "mum", productId: product, on: true),
      "stop": .setSharing(account: "mum", productId: product, on: false),
      "hide": .setAppHidden(account: "mum", hidden: true), "show": .setAppHidden(account: "mum", hidden: false),
      "sharingOff": .setPurchaseSharing(on: false), "sharingOn": .setPurchaseSharing(on: true),
      "move": .storefrontChanged(account: "kid", storefront: "DEU"),
      "back": .storefrontChanged(account: "kid", storefront: nil), "itemGone": .itemWithdrawn(item.id),
      "reset": .memberReset("mum"), "leaveMember": .leave(account: "kid"), "resetMember": .memberReset("kid"),
      "lateAnswer": .joinAnswered(account: "late", joins: true, items: [], storefront: nil),
      "grant": .timer(.grant(item.id)),
    ]
    #expect(Set(commands.keys) == Set(Self.columns) && Set(row.1.keys) == Set(Self.columns))
    for name in Self.columns {
      guard let command = commands[name] else { continue }
      var copy = home
      #expect(copy.outcome(command) == row.1[name], "\(row.0) \(name)")
    }
  }

  @Test func grantThatIsDueIsGiven() throws {
    var home = try Self.household(.waiting)
    let item = try Self.item()
    home.context.now = home.context.now.advanced(by: 3_600_000)
    #expect(home.outcome(.timer(.grant(item.id))) == "grantDue →share")
  }

  @Test func whatWasBoughtBeforeItCouldBeSharedWaitsFromThenOn() throws {
    var home = try Self.household(.founded)
    home.context.world.familyGrantDelay = 3_600_000
    home.context.now = home.context.now.advanced(by: 90 * 86_400_000)
    let item = try Self.item(since: home.context.now)
    #expect(home.outcome(.itemChanged(item)) == "itemChanged grantScheduled")
    home.context.now = home.context.now.advanced(by: 3_600_000)
    #expect(home.outcome(.timer(.grant(item.id))) == "grantDue →share")
  }

  @Test func theChoiceToShareIsForgottenWithTheFamily() throws {
    var home = try Self.household(.beforeOptIn)
    let item = try Self.item("pro.monthly", since: home.context.now)
    #expect(
      home.outcome(.setSharing(account: "mum", productId: "pro.monthly", on: true)) == "sharingChanged →share")
    #expect(home.outcome(.setSharing(account: "mum", productId: "pro.monthly", on: true)) == "nothing")
    #expect(
      home.outcome(.setSharing(account: "mum", productId: "pro.monthly", on: false)) == "sharingChanged →unshare")
    #expect(
      home.outcome(.setSharing(account: "mum", productId: "pro.monthly", on: true)) == "sharingChanged →share")
    home.play(.leave(account: "mum"), .create(organizer: "mum"))
    home.play(.joinAnswered(account: "mum", joins: true, items: [item], storefront: nil))
    home.join("kid")
    #expect(
      home.outcome(.setSharing(account: "mum", productId: "pro.monthly", on: true)) == "sharingChanged →share")
  }
}
