import Foundation
import Shared
import Testing
import Wire

@testable import ServerNode

struct TransactionIndexTests {
  private static let alice = ActorAddress(world: "w", kind: .account, key: "alice")

  private func transaction(_ id: UInt64, in world: String = "w") -> KnownTransaction {
    let time = StoreTime(milliseconds: 0)
    let record = TransactionRecord(
      transactionId: TransactionID(id), originalTransactionId: TransactionID(id), productId: "coins",
      type: .consumable, purchaseDate: time, originalPurchaseDate: time, price: 0, currency: "USD", storefront: "USA",
      appTransactionId: "1")
    return KnownTransaction(record, of: ActorAddress(world: world, kind: .account, key: "alice"))
  }

  @Test func whatChangedIsReadAgain() {
    let index = TransactionIndex()
    index.keep(transaction(1), since: index.stamp(of: TransactionID(1)))
    index.keep(transaction(2), since: index.stamp(of: TransactionID(2)))
    #expect(index.find(TransactionID(1), in: "w") != nil && index.find(TransactionID(1), in: "v") == nil)
    index.forget([TransactionID(1)], in: "w")
    #expect(index.find(TransactionID(1), in: "w") == nil && index.find(TransactionID(2), in: "w") != nil)
  }

  @Test func whatWasReadBeforeAChangeIsNotKeptAfterIt() {
    let index = TransactionIndex()
    for forget in [
      { index.forget([TransactionID(1)], in: "w") }, { index.forgetAll(in: "w") },
    ] as [() -> Void] {
      let stamp = index.stamp(of: TransactionID(1))
      forget()
      index.keep(transaction(1), since: stamp)
      #expect(index.find(TransactionID(1), in: "w") == nil)
    }
  }

  @Test func aResetForgetsTheWorldAlone() {
    let index = TransactionIndex()
    for world in ["v", "w"] { index.keep(transaction(1, in: world), since: index.stamp(of: TransactionID(1))) }
    index.forgetAll(in: "v")
    #expect(index.find(TransactionID(1), in: "v") == nil && index.find(TransactionID(1), in: "w") != nil)
  }

  @Test func itIsBoundedAndKeepsWhatIsAskedFor() {
    let index = TransactionIndex(most: 10)
    for id in 1...100 {
      index.keep(transaction(UInt64(id)), since: index.stamp(of: TransactionID(UInt64(id))))
      #expect(index.find(TransactionID(1), in: "w") != nil)
    }
    let kept = (1...100).count { index.find(TransactionID(UInt64($0)), in: "w") != nil }
    #expect(kept <= 20)
  }
}
