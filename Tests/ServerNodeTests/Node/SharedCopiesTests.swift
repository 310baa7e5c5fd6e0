import Foundation
import Shared
import Testing

@testable import ServerNode

@Suite struct SharedCopiesTests {
  private func job(_ id: UInt64, at milliseconds: Int64 = 0, _ change: (inout SigningJob) -> Void = { _ in })
    -> SigningJob
  {
    let record = TransactionRecord(
      transactionId: TransactionID(id), originalTransactionId: TransactionID(id), productId: "p", type: .nonConsumable,
      purchaseDate: StoreTime(milliseconds: 0), originalPurchaseDate: StoreTime(milliseconds: 0), price: 1,
      currency: "USD", storefront: "USA", appTransactionId: "1")
    var job = SigningJob(
      subject: .transaction(record), bundleId: "b", environment: "Sandbox",
      signedDate: StoreTime(milliseconds: milliseconds), device: nil)
    change(&job)
    return job
  }

  private func key(_ job: SigningJob, world: String = "w", epoch: UInt64 = 1) throws -> SharedCopies.Key {
    try #require(SharedCopies.Key(job, world: world, epoch: epoch))
  }

  @Test func copyIsTheSameWheneverItIsAskedForAndWhoeverFinishedIt() throws {
    let first = try key(job(1))
    #expect(try key(job(1, at: 9)) == first)
    let finished = job(1) { job in
      guard case .transaction(var record) = job.subject else { return }
      record.isFinished = true
      job.subject = .transaction(record)
    }
    #expect(try key(finished) == first)
    let refunded = job(1) { job in
      guard case .transaction(var record) = job.subject else { return }
      record.recordRevision = 2
      job.subject = .transaction(record)
    }
    #expect(try key(refunded) != first)
    #expect(try key(job(1), world: "v") != first)
    #expect(try key(job(1), epoch: 2) != first)
  }

  @Test func copiesOfOneDeviceAndSpoiledOnesAreNotShared() {
    let bound = job(1) { $0.device = .init(deviceVerificationId: UUID(), nonce: UUID()) }
    #expect(SharedCopies.Key(bound, world: "w", epoch: 1) == nil)
    #expect(SharedCopies.Key(job(1) { $0.underForeignRoot = true }, world: "w", epoch: 1) == nil)
  }

  @Test func oneIsSignedOnceAtATimeAndTheOldestGoes() throws {
    var copies = SharedCopies()
    let first = try key(job(1))
    let begun = [copies.begin(first), copies.begin(first)]
    copies.giveUp(first)
    let again = copies.begin(first)
    #expect(begun == [true, false])
    #expect(again)
    copies.keep(Data([1]), for: first)
    #expect(copies[first] == Data([1]))
    for id in 2...UInt64(SharedCopies.most + 1) { copies.keep(Data([2]), for: try key(job(id))) }
    #expect(copies[first] == nil)
    #expect(copies[try key(job(2))] == Data([2]))
    let anew = copies.begin(first)
    #expect(anew)
  }
}
