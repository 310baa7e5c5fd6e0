import AppleCore
import Testing

@Suite struct PublisherTests {
  /// What a publisher delivers, in order.
  final class Record<Value> {
    var values: [Value] = []
    var hasFinished = false
  }

  private func record<P: Publisher>(_ publisher: P) -> (Record<P.Output>, AnyCancellable) {
    let record = Record<P.Output>()
    let subscription = publisher.sink(
      receiveCompletion: { _ in record.hasFinished = true }, receiveValue: { record.values.append($0) })
    return (record, subscription)
  }

  @Test func aSubjectPassesOnWhatComesAfterTheSubscription() {
    let subject = PassthroughSubject<Int, Never>()
    subject.send(1)
    let (record, subscription) = record(subject)
    subject.send(2)
    subject.send(3)
    subscription.cancel()
    subject.send(4)
    #expect(record.values == [2, 3])
    #expect(!record.hasFinished)
  }

  @Test func aCurrentValueComesFirst() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let (record, subscription) = record(subject)
    subject.value = 2
    subject.send(3)
    subject.send(completion: .finished)
    subject.send(4)
    #expect(record.values == [1, 2, 3])
    #expect(record.hasFinished)
    #expect(subject.value == 3)
    subscription.cancel()
  }

  @Test func aSubscriptionEndsWhenItIsLetGo() {
    let subject = PassthroughSubject<Int, Never>()
    var subscriptions: Set<AnyCancellable> = []
    let record = Record<Int>()
    subject.sink { record.values.append($0) }.store(in: &subscriptions)
    subject.send(1)
    subscriptions.removeAll()
    subject.send(2)
    #expect(record.values == [1])
  }

  @Test func aSubscriberMaySubscribeAndCancelWhileItIsTold() {
    let subject = PassthroughSubject<Int, Never>()
    var inner: AnyCancellable?
    let record = Record<Int>()
    let outer = subject.sink { value in
      if value == 1 { inner = subject.sink { record.values.append($0) } } else { inner?.cancel() }
    }
    subject.send(1)
    subject.send(2)
    subject.send(3)
    // The new one is not told the value that it came with; the order of those that are there is kept.
    #expect(record.values == [])
    outer.cancel()
  }

  @Test func operatorsWorkOnEachValue() {
    let values = [1, 2, 2, 3, 4, 5].publisher
    let (record, subscription) = record(
      values.removeDuplicates().filter { $0 != 3 }.map { $0 * 10 }.compactMap { $0 == 40 ? nil : "\($0)" }.dropFirst())
    #expect(record.values == ["20", "50"])
    #expect(record.hasFinished)
    subscription.cancel()
  }

  @Test func firstEndsAfterOneValue() {
    let subject = CurrentValueSubject<Int, Never>(7)
    let (record, subscription) = record(subject.first())
    subject.send(8)
    #expect(record.values == [7])
    #expect(record.hasFinished)
    subscription.cancel()
  }

  @Test func combineLatestWaitsForBoth() {
    let left = PassthroughSubject<Int, Never>()
    let right = PassthroughSubject<String, Never>()
    let (record, subscription) = record(left.combineLatest(right).map { "\($0)\($1)" })
    left.send(1)
    right.send("a")
    left.send(2)
    left.send(completion: .finished)
    #expect(!record.hasFinished)
    right.send("b")
    right.send(completion: .finished)
    #expect(record.values == ["1a", "2a", "2b"])
    #expect(record.hasFinished)
    subscription.cancel()
  }

  @Test func mergeTakesFromAll() {
    let left = PassthroughSubject<Int, Never>()
    let right = PassthroughSubject<Int, Never>()
    let (record, subscription) = record(left.merge(with: right))
    left.send(1)
    right.send(2)
    left.send(completion: .finished)
    right.send(3)
    right.send(completion: .finished)
    #expect(record.values == [1, 2, 3])
    #expect(record.hasFinished)
    subscription.cancel()
  }

  private enum Failure: Error, Equatable { case broken }

  @Test func failuresEndAndCanBeReplaced() {
    let subject = PassthroughSubject<Int, Failure>()
    let (record, subscription) = record(subject.map { $0 + 1 }.replaceError(with: -1))
    subject.send(1)
    subject.send(completion: .failure(.broken))
    #expect(record.values == [2, -1])
    #expect(record.hasFinished)
    subscription.cancel()
  }

  @Test func tryMapFailsOnce() {
    var error: (any Error)?
    let record = Record<Int>()
    let subscription = [1, 2, 3].publisher
      .tryMap { value -> Int in
        if value == 2 { throw Failure.broken }
        return value
      }
      .sink(
        receiveCompletion: { if case .failure(let failure) = $0 { error = failure } },
        receiveValue: { record.values.append($0) })
    #expect(record.values == [1])
    #expect(error as? Failure == .broken)
    subscription.cancel()
  }

  @Test func switchToLatestLeavesTheOneBefore() {
    let first = PassthroughSubject<Int, Never>()
    let second = PassthroughSubject<Int, Never>()
    let outer = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
    let (record, subscription) = record(outer.switchToLatest())
    outer.send(first)
    first.send(1)
    outer.send(second)
    first.send(2)
    second.send(3)
    #expect(record.values == [1, 3])
    subscription.cancel()
  }

  @Test func aFutureKeepsItsResult() async {
    let future = Future<Int, Never> { promise in promise(.success(5)) }
    let (record, subscription) = record(future)
    #expect(record.values == [5])
    #expect(record.hasFinished)
    #expect(await future.value == 5)
    subscription.cancel()
  }

  @Test func valuesAreAnAsynchronousSequence() async {
    let subject = CurrentValueSubject<Int, Never>(1)
    var iterator = subject.values.makeAsyncIterator()
    subject.send(2)
    subject.send(completion: .finished)
    #expect(await iterator.next() == 1)
    #expect(await iterator.next() == 2)
    #expect(await iterator.next() == nil)
  }

  @TaskLocal private static var place = "nowhere"

  @MainActor @Test(.timeLimit(.minutes(1))) func theMainSchedulersKeepOrderAndTaskLocals() async {
    let subject = PassthroughSubject<Int, Never>()
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let subscription = subject.receive(on: DispatchQueue.main).receive(on: RunLoop.main).sink { value in
      MainActor.assumeIsolated { _ = continuation.yield("\(value) \(Self.place)") }
    }
    Self.$place.withValue("here") { for value in 1...3 { subject.send(value) } }
    var seen: [String] = []
    for await text in stream.prefix(3) { seen.append(text) }
    #expect(seen == ["1 here", "2 here", "3 here"])
    subscription.cancel()
  }

  @MainActor @Test(.timeLimit(.minutes(1))) func debounceGivesTheLastOfManyValues() async {
    let subject = PassthroughSubject<Int, Never>()
    let values = subject.debounce(for: .milliseconds(20), scheduler: DispatchQueue.main).values
    var iterator = values.makeAsyncIterator()
    for value in 1...5 { subject.send(value) }
    #expect(await iterator.next() == 5)
  }

  @MainActor @Test(.timeLimit(.minutes(1))) func notificationsArePublished() async {
    let center = NotificationCenter()
    let name = Notification.Name("changed")
    let (record, subscription) = record(center.publisher(for: name).map(\.name.rawValue))
    center.post(name: name, object: nil)
    subscription.cancel()
    center.post(name: name, object: nil)
    #expect(record.values == ["changed"])
  }
}
