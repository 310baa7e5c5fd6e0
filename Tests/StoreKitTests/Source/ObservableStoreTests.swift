import ClientNode
import Foundation
import Shared
import StoreKit
import Testing

/// A store as apps without `@Observable` write it, on a device.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ObservableStoreTests {
  private let daemon = FakeDaemon()

  @Test func anObservableObjectShowsWhatItsListenerHears() async throws {
    await on(daemon) {
      let store = SurfaceStore()
      var flags = store.$flag.values.makeAsyncIterator()
      #expect(await flags.next() == false)
      let bought = store.subject.values
      var transactions = bought.makeAsyncIterator()
      daemon.announce(.of(.pro, id: 1))
      await daemon.waitUntilFinished(TransactionID(1))
      #expect(store.purchased == ["pro"])
      #expect(await transactions.next()?.id == 1)
      // Over the main queue, a subject and `assign(to:)`.
      while await flags.next() == false {}
      #expect(store.flag)
    }
    daemon.end()
  }

  @Test func aSubscribersTaskOnTheMainQueueKeepsTheDevice() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: UUID?.self)
    let subject = PassthroughSubject<Void, Never>()
    await on(daemon) {
      let subscription = subject.receive(on: DispatchQueue.main).sink {
        Task { continuation.yield(AppStore.deviceVerificationID) }
      }
      subject.send()
      var ids = stream.makeAsyncIterator()
      #expect(await ids.next() == daemon.device.deviceVerificationId)
      subscription.cancel()
    }
  }
}
