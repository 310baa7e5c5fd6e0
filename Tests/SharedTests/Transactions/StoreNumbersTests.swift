import Testing

@testable import Shared

struct StoreNumbersTests {
  @Test(arguments: [(1, 1), (1, 1_000_000), (2, 1), (99_999, 500_000)] as [(UInt64, UInt64)])
  func idsSayWhoseTheyAre(_ ordinal: UInt64, _ count: UInt64) {
    #expect(StoreNumbers.ordinal(of: StoreNumbers.transactionId(ordinal: ordinal, count: count)) == ordinal)
    let app = StoreNumbers.appTransactionId(ordinal: ordinal)
    #expect(StoreNumbers.ordinal(of: app) == ordinal && StoreNumbers.isAppTransaction(app))
  }

  @Test(arguments: [0, 1, 2_000_000_000_000_000, 2_000_000_000_000_001, .max, 700_000_000_000_000_000] as [UInt64])
  func otherNumbersAreNobodys(_ number: UInt64) {
    #expect(StoreNumbers.ordinal(of: TransactionID(number)) == nil)
  }

  @Test func ordersAreAnotherSpellingOfTransactions() {
    #expect(OrderID.of(TransactionID(2_000_000_001_000_001)) == "M000000YGJ1")
    let numbers: [UInt64] = [
      2_000_000_001_000_001, 2_000_000_001_000_002, 2_000_123_456_789_012, 9_000_000_000_000_000,
    ]
    for number in numbers {
      let id = TransactionID(number)
      #expect(OrderID.of(id).flatMap { OrderID.transaction($0) } == id)
    }
  }

  @Test(arguments: [
    "", "M", "M0", "M000000YGJI", "m000000YGJ1", "M0000000YGJ1", "X000000YGJ1", "M0000000000", "MZZZZZZZZZZZZZZ",
  ])
  func otherTextIsNoOrder(_ text: String) {
    #expect(OrderID.transaction(text) == nil)
  }
}
