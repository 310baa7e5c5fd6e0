import ClientNode
import Foundation
import StoreKit
import Synchronization
import Testing

/// In processes of their own: a device that another test runs would be found. The test process is linked with StoreKitTest,
/// which would open a store for them.
@Suite(.timeLimit(.minutes(1))) struct DeviceLookupTests {
  @Test func callsThatThrowSayThatThereIsNoDevice() async {
    await #expect(processExitsWith: .success) {
      CurrentDevice.source.withLock { $0 = nil }
      await #expect {
        try await Product.products(for: ["pro"])
      } throws: { error in
        guard case StoreKitError.systemError = error else { return false }
        return error.localizedDescription.contains("where no device runs")
      }
      await #expect(throws: StoreKitError.self) { try await AppStore.sync() }
      await #expect(throws: StoreKitError.self) { try await SubscriptionInfo.status(for: "group") }
    }
  }

  @Test func callsThatCannotThrowTrapWithTheSentence() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      CurrentDevice.source.withLock { $0 = nil }
      for await _ in Transaction.updates {}
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("StoreKit was called where no device runs"))
  }

  @Test func severalDevicesAreNeverAGuess() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      CurrentDevice.register(FakeDaemon("alice-phone"))
      CurrentDevice.register(FakeDaemon("bob-phone"))
      _ = await Transaction.latest(for: "pro")
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("2 devices run in this process (test/alice-phone, test/bob-phone"))
  }

  @Test func theOnlyDeviceOfAProcessIsFoundWithoutATaskLocal() async {
    await #expect(processExitsWith: .success) {
      let old = FakeDaemon("phone")
      let new = FakeDaemon("phone", incarnation: 2)
      CurrentDevice.register(old)
      CurrentDevice.register(new)
      // The end of an earlier launch does not take the later one's place away.
      CurrentDevice.unregister(old)
      #expect(AppStore.deviceVerificationID == new.device.deviceVerificationId)
    }
  }
}
