import ClientNode
import Foundation
import Shared
import StoreKit
import Testing

/// In processes of their own: a device that another test runs would be found.
@Suite(.timeLimit(.minutes(1))) struct DeviceLookupTests {
  @Test func callsThatThrowSayThatThereIsNoDevice() async {
    await #expect(processExitsWith: .success) {
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

  @Test func callsThatCannotThrowFindNothingAndOneLineSaysWhatToDo() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      for sequence in [Transaction.currentEntitlements, Transaction.unfinished, Transaction.all] {
        for await _ in sequence { Issue.record("something was found where nothing is") }
      }
      for await _ in SubscriptionInfo.Status.all { Issue.record("a status was found") }
      #expect(await Transaction.latest(for: "pro") == nil)
      #expect(await Transaction.currentEntitlement(for: "pro") == nil)
      #expect(await SubscriptionInfo.isEligibleForIntroOffer(for: "group") == false)
      #expect(await Storefront.current == nil)
      #expect(!AppStore.canMakePayments)
      #expect(AppStore.deviceVerificationID == nil)
      await AppStore.requestReview()
      _ = try? await Product.products(for: ["pro"])
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.components(separatedBy: "StoreKit was called where no device runs").count == 2, "\(text)")
    #expect(text.contains("open an SKTestSession first"))
  }

  @Test func aListenerThatIsThereFirstHearsOfTheDeviceThatTheProcessBecomes() async {
    await #expect(processExitsWith: .success) {
      var early = Transaction.updates.makeAsyncIterator()
      let cancelled = Task { for await _ in Transaction.updates {} }
      cancelled.cancel()
      await cancelled.value
      let daemon = FakeDaemon("phone")
      CurrentDevice.register(daemon, isProcess: true)
      daemon.announce(.of(.coins, id: 7))
      let heard = await early.next()?.unsafePayloadValue
      #expect(heard?.id == 7)
      await heard?.finish()
      #expect(daemon.finished == [TransactionID(7)])
      daemon.end()
      #expect(await early.next() == nil)
    }
  }

  @Test func aDeviceAmongOthersIsNotWhatEarlyListenersWaitFor() async {
    await #expect(processExitsWith: .success) {
      let early = CurrentDevice.first()
      CurrentDevice.register(FakeDaemon("alice-phone"))
      let late = CurrentDevice.first()
      early.end()
      late.end()
      #expect(await early.next() == nil)
      #expect(await late.next()?.device.name == "alice-phone")
    }
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
