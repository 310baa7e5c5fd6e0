/// What a `@Published` property holds.
final class PublishedStorage<Value> {
  private struct State {
    var value: Value
    var outlets = Outlets<Value, Never>()
    var willChange: ObservableObjectPublisher?
    /// Publishers that write to it.
    var followed: [AnyCancellable] = []
  }

  private let state: Locked<State>
  private let watch = ChangeWatch()

  init(_ value: Value) { state = Locked(State(value: value)) }

  var value: Value {
    watch.noteReading()
    return state.withLock { $0.value }
  }
  var willChange: ObservableObjectPublisher? { state.withLock { $0.willChange } }

  func tell(_ publisher: ObservableObjectPublisher) { state.withLock { $0.willChange = publisher } }

  /// Everybody is told before the value is there.
  func set(_ value: Value) {
    let (willChange, downstreams) = state.withLock { ($0.willChange, $0.outlets.downstreams) }
    willChange?.send()
    for downstream in downstreams { downstream.value(value) }
    // The old value goes outside the lock: what it holds may have a deinitializer that comes back here.
    withExtendedLifetime(
      state.withLock { state in
        let old = state.value
        state.value = value
        return old
      }
    ) {}
    watch.noteChange()
  }

  func follow<P: Publisher>(_ publisher: P) where P.Output == Value, P.Failure == Never {
    let subscription = publisher.sink { [weak self] in self?.set($0) }
    state.withLock { $0.followed.append(subscription) }
  }

  var publisher: AnyPublisher<Value, Never> {
    AnyPublisher { [self] downstream in
      let (id, value) = state.withLock { ($0.outlets.add(downstream), $0.value) }
      downstream.value(value)
      return AnyCancellable { [weak self] in self?.state.withLock { $0.outlets.remove(id) } }
    }
  }
}
