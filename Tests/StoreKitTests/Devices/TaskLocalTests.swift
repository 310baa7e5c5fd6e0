import ClientNode
import Foundation
import Shared
import StoreKit
import Testing

/// Whose device a StoreKit call is about.
@Suite(.timeLimit(.minutes(1))) struct TaskLocalTests {
  private let daemon = FakeDaemon()
  private var id: UUID? { daemon.device.deviceVerificationId }

  @Test func travelsIntoEveryKindOfTask() async throws {
    await on(daemon) {
      #expect(await Task { AppStore.deviceVerificationID }.value == id)
      #expect(await Task.detached { AppStore.deviceVerificationID }.value == id)
      #expect(await Task.detached(priority: .background) { AppStore.deviceVerificationID }.value == id)
      #expect(await Task.detached(name: "listener") { AppStore.deviceVerificationID }.value == id)
      #expect(
        await Task.detached(name: "listener", priority: .utility) { AppStore.deviceVerificationID }.value == id)
      #expect(
        await Task.detached(executorPreference: globalConcurrentExecutor) { AppStore.deviceVerificationID }.value == id)
      #expect(await Task.immediateDetached { AppStore.deviceVerificationID }.value == id)
      await withTaskGroup(of: UUID?.self) { group in
        group.addTask { AppStore.deviceVerificationID }
        group.addTask { await Task.detached { AppStore.deviceVerificationID }.value }
        for await found in group { #expect(found == id) }
      }
      async let found = AppStore.deviceVerificationID
      #expect(await found == id)
    }
  }

  @Test func throwingDetachedTasksCarryItToo() async throws {
    try await on(daemon) {
      let found = try await Task.detached {
        try Task.checkCancellation()
        return AppStore.deviceVerificationID
      }.value
      #expect(found == id)
      let task: Task<UUID?, any Error> = Task.detached(executorPreference: globalConcurrentExecutor, priority: .low) {
        try Task.checkCancellation()
        return AppStore.deviceVerificationID
      }
      #expect(try await task.value == id)
    }
  }

  @Test func detachedTasksStayDetachedOtherwise() async {
    await on(daemon) {
      await Task(priority: .background) {
        #expect(await Task.detached { Task.currentPriority }.value >= .medium)
      }.value
    }
  }

  @MainActor @Test func detachedMainActorTasksKeepTheirOrder() async {
    await on(daemon) {
      var order: [Int] = []
      let tasks = (0..<20).map { number in Task.detached { @MainActor in order.append(number) } }
      for task in tasks { await task.value }
      #expect(order == Array(0..<20))
    }
  }

  @Test func devicesSeeTheirOwnUpdatesOnly() async throws {
    let devices = (0..<20).map { FakeDaemon("phone-\($0)") }
    var listeners: [Task<[UInt64], Never>] = []
    for device in devices {
      listeners.append(
        await on(device) {
          Task.detached {
            var seen: [UInt64] = []
            for await result in Transaction.updates {
              seen.append(result.unsafePayloadValue.id)
              await result.unsafePayloadValue.finish()
            }
            return seen
          }
        })
    }
    for (number, device) in devices.enumerated() {
      // A listener that starts later gets it as unfinished.
      device.announce(.of(.coins, id: UInt64(number + 1)))
      await device.waitUntilFinished(TransactionID(UInt64(number + 1)))
      device.end()
    }
    for (number, listener) in listeners.enumerated() {
      #expect(Set(await listener.value) == [UInt64(number + 1)])
      #expect(Set(devices[number].finished) == [TransactionID(UInt64(number + 1))])
    }
  }
}
