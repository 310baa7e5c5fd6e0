import AppleCore
import Testing

@Suite struct ObservableObjectTests {
  class Base: ObservableObject {
    @Published var inherited = 0
  }

  final class Store: Base {
    @Published var items: [String] = []
    @Published private(set) var count = 0 {
      didSet { changes.append("\(oldValue) to \(count)") }
    }
    var changes: [String] = []
    func grow() { count += 1 }
  }

  final class Silent: ObservableObject {}

  final class Custom: ObservableObject {
    let objectWillChange = PassthroughSubject<Void, Never>()
    @Published var value = 0
  }

  @Test func anObjectTellsBeforeEachChange() {
    let store = Store()
    var seen: [[String]] = []
    let subscription = store.objectWillChange.sink { seen.append(store.items) }
    store.items.append("a")
    store.items.append("b")
    store.inherited = 1
    #expect(seen == [[], ["a"], ["a", "b"]])
    #expect(store.items == ["a", "b"])
    subscription.cancel()
  }

  @Test func aPropertyPublishesItsValueAndEachNewOneBeforeItIsStored() {
    let store = Store()
    var seen: [Int] = []
    var stored: [Int] = []
    let subscription = store.$inherited.sink { value in
      seen.append(value)
      stored.append(store.inherited)
    }
    store.inherited = 1
    store.inherited = 1
    store.inherited += 1
    #expect(seen == [0, 1, 1, 2])
    #expect(stored == [0, 0, 1, 1])
    subscription.cancel()
  }

  @Test func propertyObserversRun() {
    let store = Store()
    store.grow()
    store.grow()
    #expect(store.changes == ["0 to 1", "1 to 2"])
  }

  @Test func thePublisherIsTheSameEachTime() {
    let store = Store()
    #expect(store.objectWillChange === store.objectWillChange)
    let silent = Silent()
    #expect(silent.objectWillChange === silent.objectWillChange)
    #expect(silent.objectWillChange !== Silent().objectWillChange)
    var count = 0
    let subscription = silent.objectWillChange.sink { count += 1 }
    silent.objectWillChange.send()
    #expect(count == 1)
    subscription.cancel()
  }

  @Test func anOwnPublisherIsLeftAlone() {
    let custom = Custom()
    var count = 0
    let subscription = custom.objectWillChange.sink { count += 1 }
    custom.value = 1
    custom.objectWillChange.send()
    #expect(count == 1)
    subscription.cancel()
  }

  @Test func assignWritesToAProperty() {
    let source = Store()
    let target = Store()
    source.$inherited.map { $0 * 2 }.assign(to: &target.$inherited)
    source.inherited = 4
    #expect(target.inherited == 8)
    let subscription = source.$inherited.assign(to: \.inherited, on: target)
    #expect(target.inherited == 4)
    subscription.cancel()
  }

  @Test func objectsAreLetGo() {
    weak var store: Store?
    weak var silent: Silent?
    do {
      let made = (Store(), Silent())
      (store, silent) = made
      let subscription = made.0.$inherited.sink { _ in }
      _ = made.0.objectWillChange
      _ = made.1.objectWillChange
      subscription.cancel()
    }
    #expect(store == nil)
    #expect(silent == nil)
  }
}
