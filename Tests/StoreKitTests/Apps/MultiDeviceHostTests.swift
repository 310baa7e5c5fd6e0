import ClientNode
import DeviceApp
import Foundation
import Observation
import Shared
import StoreKit
import Synchronization
import Testing
import Wire

@MainActor @Suite(.timeLimit(.minutes(1))) struct MultiDeviceHostTests {
  private static let order = PurchaseOrder(productId: "pro")

  @Test func devicesOfOneProcessAreApart() async throws {
    let host = MultiDeviceHost<BuiltInApp>()
    let devices = (0..<10).map { FakeDaemon("phone-\($0)") }
    for device in devices { try await host.launch(device, user: nil) }
    devices[3].announce(.of(.pro, id: 1))
    devices[7].announce(.of(.coins, id: 2))
    await devices[3].waitUntilFinished(TransactionID(1))
    await devices[7].waitUntilFinished(TransactionID(2))
    #expect(await host.screen(device: "phone-3")?.entitled == ["pro"])
    #expect(await host.screen(device: "phone-7")?.entitled == [])
    #expect(devices[4].finished.isEmpty)
    for device in devices { await host.kill(device: device.device.name) }
  }

  @Test func launchHandsTheUserAndTheTapOverToTheApp() async throws {
    let host = MultiDeviceHost<BuiltInApp>()
    let device = FakeDaemon("tapped")
    let user = UUID()
    device.sell(.pro)
    device.answerPurchases { _ throws(DaemonError) in .pending }
    try await host.launch(device, user: user)
    var order = Self.order
    order.quantity = 2
    order.intendedAt = 77
    let reply = await host.buy(device: "tapped", order: order)
    #expect(reply == TapBuy.Reply(phase: "awaitingApproval"))
    order.appAccountToken = user
    #expect(device.calls.contains(.purchase(order)))
    await host.kill(device: "tapped")
  }

  @Test func repliesSayWhatTheAppShows() async throws {
    let host = MultiDeviceHost<BuiltInApp>()
    let device = FakeDaemon("replies")
    device.sell(.pro)
    try await host.launch(device, user: nil)
    let record = TransactionRecord.of(.pro)
    device.answerPurchases { _ throws(DaemonError) in
      .success(SignedTransaction(record: record, jws: JWS.of(record), failure: nil))
    }
    #expect(await host.buy(device: "replies", order: Self.order).phase == "completed")
    device.answerPurchases { _ throws(DaemonError) in .userCancelled }
    #expect(await host.buy(device: "replies", order: Self.order).phase == "cancelled")
    device.answerPurchases { _ throws(DaemonError) in throw .refused(.purchaseNotAllowed, "no") }
    let failed = TapBuy.Reply(phase: "failed", message: "This account may not make purchases.")
    #expect(await host.buy(device: "replies", order: Self.order) == failed)
    #expect(await host.restore(device: "replies") == TapRestore.Reply(outcome: "nothingToRestore"))
    await host.kill(device: "replies")
  }

  @Test func aKilledAppIsGone() async throws {
    let host = MultiDeviceHost<BuiltInApp>()
    let device = FakeDaemon("killed")
    try await host.launch(device, user: nil)
    await host.kill(device: "killed")
    #expect(await host.screen(device: "killed") == nil)
    #expect(await host.buy(device: "killed", order: Self.order).phase == "failed")
    #expect(await host.restore(device: "killed").outcome == "failed")
    // Neither does anything.
    await host.appear(device: "killed")
    await host.signIn(device: "killed", user: nil)
    #expect(!device.calls.contains(.appear))
  }

  @Test func appearReachesTheAppAndTheDevice() async throws {
    let host = MultiDeviceHost<PlainApp>()
    let device = FakeDaemon("appears")
    device.put(.of(.pro))
    try await host.launch(device, user: nil)
    await host.appear(device: "appears")
    #expect(device.calls.contains(.appear))
    // It reads its device in `appear`.
    await device.wait { $0.contains(.query(.latest(productId: "pro"))) }
    await host.kill(device: "appears")
  }

  @Test func changesOfAnObservableAppAreTold() async throws {
    let host = MultiDeviceHost<BuiltInApp>()
    let device = FakeDaemon("observed")
    let changes = AsyncStream<String>.makeStream()
    host.onScreenChange { changes.continuation.yield($0) }
    try await host.launch(device, user: nil)
    device.announce(.of(.pro, id: 1))
    for await name in changes.stream {
      #expect(name == "observed")
      if await host.screen(device: name)?.access == .unlocked { break }
    }
    device.announce(TransactionRecord.of(.pro, id: 1).refunded)
    for await name in changes.stream where await host.screen(device: name)?.access == .locked { break }
    await host.kill(device: "observed")
  }

  @Test func readingOftenLeavesOneRegistration() async throws {
    let host = MultiDeviceHost<BuiltInApp>()
    let device = FakeDaemon("polled")
    let told = Mutex(0)
    try await host.launch(device, user: nil)
    device.sell(.pro)
    device.answerPurchases { _ throws(DaemonError) in .userCancelled }
    while await host.screen(device: "polled")?.access == .unknown { await Task.yield() }
    for _ in 0..<100 { _ = await host.screen(device: "polled") }
    host.onScreenChange { _ in told.withLock { $0 += 1 } }
    // Two changes of the phase, without a reading in between: one is told, and the tap itself.
    _ = await host.buy(device: "polled", order: Self.order)
    #expect(told.withLock { $0 } == 2)
    await host.kill(device: "polled")
  }

  @Test func changesOfAPlainAppAreToldAfterItsCalls() async throws {
    let host = MultiDeviceHost<PlainApp>()
    let device = FakeDaemon("plain")
    let changes = AsyncStream<String>.makeStream()
    try await host.launch(device, user: nil)
    host.onScreenChange { changes.continuation.yield($0) }
    device.announce(.of(.pro, id: 1))
    for await name in changes.stream where await host.screen(device: name)?.entitled == ["pro"] { break }
    await host.kill(device: "plain")
  }

  @Test func changesOfPublishedStateAreTold() async throws {
    let host = MultiDeviceHost<PublishingApp>()
    let device = FakeDaemon("published")
    let changes = AsyncStream<String>.makeStream()
    try await host.launch(device, user: nil)
    _ = await host.screen(device: "published")
    host.onScreenChange { changes.continuation.yield($0) }
    // No call of StoreKit's comes after this one.
    await host.apps["published"]?.store.unlock()
    var seen = changes.stream.makeAsyncIterator()
    #expect(await seen.next() == "published")
    #expect(await host.screen(device: "published")?.access == .unlocked)
    await host.kill(device: "published")
  }

  @Test func anAppWithoutPhasesStillGivesTheOutcome() async throws {
    let host = MultiDeviceHost<PlainApp>()
    let device = FakeDaemon("phaseless")
    device.sell(.pro)
    try await host.launch(device, user: nil)
    let record = TransactionRecord.of(.pro, id: 21)
    device.answerPurchases { _ throws(DaemonError) in
      .success(SignedTransaction(record: record, jws: JWS.of(record), failure: nil))
    }
    #expect(await host.buy(device: "phaseless", order: Self.order).phase == "completed")
    #expect(device.finished == [TransactionID(21)])
    device.answerPurchases { _ throws(DaemonError) in throw .network }
    #expect(await host.buy(device: "phaseless", order: Self.order).phase == "failed")
    let unknown = await host.buy(device: "phaseless", order: PurchaseOrder(productId: "nothing"))
    #expect(unknown.message == "The app did not ask StoreKit for a purchase.")
    await host.kill(device: "phaseless")
  }

  @Test func toTellOfTheHundredthChangeTakesNoMoreStackThanOfTheFirst() async {
    let host = MultiDeviceHost<BuiltInApp>()
    let depths = Mutex<[Int]>([])
    host.onScreenChange { _ in depths.withLock { $0.append(Thread.callStackReturnAddresses.count) } }
    for _ in 0..<100 { await host.kill(device: "nobody") }
    let found = depths.withLock { $0 }
    #expect(found.count == 100)
    #expect(Set(found).count == 1)
  }
}

/// An app whose store is an `ObservableObject`, as tutorials write it.
private final class PublishingApp: DeviceApp {
  final class Store: ObservableObject {
    @Published private(set) var isUnlocked = false
    func unlock() async { isUnlocked = true }
  }

  let store = Store()

  var screen: DeviceScreen { DeviceScreen(access: store.isUnlocked ? .unlocked : .locked) }
}

/// An app that is neither observable nor has phases.
private final class PlainApp: DeviceApp {
  private var owned: [String] = []
  private var listener: Task<Void, Never>?

  init() {
    listener = Task { [weak self] in
      for await result in Transaction.updates {
        let id = result.unsafePayloadValue.productID
        await result.unsafePayloadValue.finish()
        self?.owned.append(id)
      }
    }
  }

  deinit { listener?.cancel() }

  func appear() { Task { _ = await Transaction.latest(for: "pro") } }

  var screen: DeviceScreen { DeviceScreen(access: owned.isEmpty ? .locked : .unlocked, entitled: owned) }
}
