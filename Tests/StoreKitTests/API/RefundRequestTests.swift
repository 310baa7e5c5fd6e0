import ClientNode
import Foundation
import Shared
import StoreKit
import Testing
import Wire

@Suite(.timeLimit(.minutes(1))) struct RefundRequestTests {
  private let daemon = FakeDaemon()
  private let record = TransactionRecord.of(.pro, id: 5)

  @Test func aRequestGoesToTheStore() async throws {
    daemon.put(record)
    try await on(daemon) {
      let transaction = try #require(await Transaction.latest(for: "pro")).unsafePayloadValue
      #expect(try await transaction.beginRefundRequest() == .success)
      #expect(try await transaction.beginRefundRequest(in: "a scene") == .success)
      #expect(try await Transaction.beginRefundRequest(for: 5) == .success)
    }
    let requests = daemon.calls.filter { $0 == .requestRefund(record.transactionId) }
    #expect(requests.count == 3)
  }

  @Test func theStoresRefusalIsARefundRequestError() async throws {
    for refusal in [Refusal.alreadyRefunded, .duplicateRefundRequest] {
      daemon.failRefunds(.refused(refusal, "the store says no"))
      await #expect(throws: Transaction.RefundRequestError.duplicateRequest) {
        try await on(daemon) { _ = try await Transaction.beginRefundRequest(for: 5) }
      }
    }
    daemon.failRefunds(.refused(.unknownTransaction, "there is none"))
    await #expect(throws: Transaction.RefundRequestError.failed) {
      try await on(daemon) { _ = try await Transaction.beginRefundRequest(for: 6) }
    }
  }

  @Test func offlineIsANetworkError() async {
    daemon.failRefunds(.network)
    await #expect {
      try await on(daemon) { _ = try await Transaction.beginRefundRequest(for: 5) }
    } throws: { error in
      if case StoreKitError.networkError = error { true } else { false }
    }
  }
}
