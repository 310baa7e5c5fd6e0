/// The subscribers of a subject, in the order in which they came.
struct Outlets<Output, Failure: Error> {
  private var all: [(id: Int, downstream: Downstream<Output, Failure>)] = []
  private var lastId = 0
  private(set) var completion: Subscribers.Completion<Failure>?

  var downstreams: [Downstream<Output, Failure>] { all.map(\.downstream) }

  mutating func add(_ downstream: Downstream<Output, Failure>) -> Int {
    lastId += 1
    all.append((lastId, downstream))
    return lastId
  }

  mutating func remove(_ id: Int) { all.removeAll { $0.id == id } }

  /// - Returns: who is to be told; nobody when it had ended before.
  mutating func end(_ completion: Subscribers.Completion<Failure>) -> [Downstream<Output, Failure>] {
    guard self.completion == nil else { return [] }
    defer { all = [] }
    self.completion = completion
    return downstreams
  }
}
