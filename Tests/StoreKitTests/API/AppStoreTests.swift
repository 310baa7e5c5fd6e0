import ClientNode
import Foundation
import StoreKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct AppStoreTests {
  private let daemon = FakeDaemon()

  @Test func theStoreKnowsItsDevice() async {
    await on(daemon) {
      #expect(AppStore.deviceVerificationID == daemon.device.deviceVerificationId)
      #expect(AppStore.canMakePayments)
      #expect(await Storefront.current?.countryCode == "USA")
      #expect(await Storefront.current?.currency?.identifier == "USD")
    }
  }

  @Test func syncAsksTheStore() async throws {
    try await on(daemon) { try await AppStore.sync() }
    #expect(daemon.calls == [.sync])
  }

  @Test func syncOfflineIsANetworkError() async {
    daemon.failSync(.network)
    await #expect {
      try await on(daemon) { try await AppStore.sync() }
    } throws: { error in
      if case StoreKitError.networkError = error { true } else { false }
    }
  }
}
