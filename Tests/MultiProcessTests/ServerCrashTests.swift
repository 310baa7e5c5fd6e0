import FleetTesting
import Foundation
import Fleet
import Shared
import Testing
import Wire

/// What a server process that is killed in the middle of its work leaves behind.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ServerCrashTests {
  private struct Order: Sendable {
    var account: String
    var id = RequestID(UUID())
    var purchase = Purchase(productId: Product.coins)
  }

  private struct Answered: Sendable {
    var order: Order
    var reply: Purchase.Reply

    var transaction: UInt64? {
      if case .purchased(let id) = reply.outcome { id.rawValue } else { nil }
    }
  }

  @Test func acknowledgedPurchasesSurviveAKillAndAreNotDoneTwice() async throws {
    try await withFleet(["alice": ["alice-pad", "alice-phone"], "bob": ["bob-phone"], "carol": ["carol-phone"]]) {
      fleet in
      // Two askers an account, each with its next purchase as soon as the last is acknowledged: at any moment six are
      // on their way.
      let lanes = ["alice", "bob", "carol"].flatMap { account in
        (0..<2).map { _ in (0..<12).map { _ in Order(account: account) } }
      }
      let (acknowledgments, acknowledgment) = AsyncStream.makeStream(of: Answered.self)
      let answered = try await withThrowingTaskGroup(of: [Answered].self) { group in
        for lane in lanes {
          group.addTask {
            var answered: [Answered] = []
            for order in lane {
              let answer = Answered(order: order, reply: try await ask(order, fleet))
              acknowledgment.yield(answer)
              answered.append(answer)
            }
            return answered
          }
        }
        for await _ in acknowledgments.prefix(15) {}
        await fleet.killServer()
        try await fleet.startServer()
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(answered.count == 72)

      for account in ["alice", "bob", "carol"] {
        let bought = try await fleet.purchases(of: account)
        let acknowledged = answered.filter { $0.order.account == account }.compactMap(\.transaction)
        #expect(Set(bought) == Set(acknowledged), "all that was acknowledged for \(account), and nothing else")
        #expect(bought.count == 24, "each once")
      }
      for answer in answered {
        #expect(try await ask(answer.order, fleet) == answer.reply)
      }
      #expect(try await fleet.purchases(of: "alice").count == 24, "the same request again buys nothing")

      // The phones carry on: what one buys reaches the other.
      #expect(try await fleet.device("alice-phone").buy(Product.lifetime) == .completed)
      try await fleet.device("alice-pad").expect("may use what the phone bought") { $0.unlocked == [Product.lifetime] }
      try await fleet.device("alice-pad").expect("has nothing left to finish") { $0.unfinished.isEmpty }
    }
  }

  private func ask(_ order: Order, _ fleet: FleetTesting.Fleet) async throws -> Purchase.Reply {
    try await fleet.ask(order.purchase, of: fleet.account(order.account), id: order.id)
  }
}
