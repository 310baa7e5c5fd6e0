import ClientNode
import Foundation
import Shared
import StoreKit
import Testing
import Wire

@Suite(.timeLimit(.minutes(1))) struct NoticeTests {
  private let daemon = FakeDaemon()

  @Test func messagesComeWithTheirReason() async throws {
    await on(daemon) {
      var messages = Message.messages.makeAsyncIterator()
      for reason in SendMessage.Reason.allCases { daemon.send(reason) }
      var reasons: [Message.Reason] = []
      for _ in SendMessage.Reason.allCases { if let message = await messages.next() { reasons.append(message.reason) } }
      #expect(reasons == [.generic, .priceIncreaseConsent, .billingIssue, .winBackOffer])
    }
  }

  @Test func anIntentNamesAProductThatIsSold() async throws {
    daemon.sell(.pro)
    await on(daemon) {
      var intents = PurchaseIntent.intents.makeAsyncIterator()
      daemon.send(SendPurchaseIntent(productId: "unknown"))
      daemon.send(SendPurchaseIntent(productId: "pro"))
      let intent = await intents.next()
      #expect(intent?.id == "pro")
      #expect(intent?.product.displayPrice == "$0.99")
      #expect(intent?.offer == nil)
    }
  }

  @MainActor @Test func sheetsAskTheDevice() async throws {
    try await on(daemon) {
      try await AppStore.showManageSubscriptions()
      try await AppStore.showManageSubscriptions(in: "a scene", subscriptionGroupID: "21000000")
      try await AppStore.presentOfferCodeRedeemSheet(in: "a scene")
      AppStore.requestReview()
    }
    await daemon.wait { $0.contains(.show(.review)) }
    #expect(
      daemon.calls == [
        .show(.manageSubscriptions(group: nil)), .show(.manageSubscriptions(group: "21000000")),
        .show(.redeemOfferCode), .show(.review),
      ])
  }
}
