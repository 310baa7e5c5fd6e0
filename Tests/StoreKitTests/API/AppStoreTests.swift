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

  @Test func storefrontIsThatOfTheAccountAndChangesAreTold() async throws {
    let code = await on(daemon) { await Storefront.current?.countryCode }
    #expect(code == "USA")
    let heard = await on(daemon) {
      var updates = Storefront.updates.makeAsyncIterator()
      daemon.move(to: "DEU")
      daemon.move(to: "FRA")
      return [await updates.next()?.countryCode, await updates.next()?.countryCode]
    }
    #expect(heard == ["DEU", "FRA"])
    let after = await on(daemon) { await Storefront.current }
    #expect(after?.countryCode == "FRA" && after?.id == "143442")
  }

  @Test func storefrontUpdatesEndWithTheLaunch() async {
    await on(daemon) {
      let updates = Storefront.updates
      var iterator = updates.makeAsyncIterator()
      daemon.end()
      #expect(await iterator.next() == nil)
    }
  }
}
